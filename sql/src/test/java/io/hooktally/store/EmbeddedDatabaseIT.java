package io.hooktally.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded PostgreSQL with real processes, killed as they are killed in life. */
class EmbeddedDatabaseIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path prepared;
  @TempDir Path folder;
  private Path data;

  /** Unpacking and creating takes seconds, copying does not. */
  @BeforeAll
  static void prepare() {
    EmbeddedDatabase.open(prepared).close();
  }

  @BeforeEach
  void copyPrepared() throws IOException {
    data = folder.toRealPath().resolve("data");
    copy(prepared, data);
  }

  /** Whatever a failed test left running. */
  @AfterEach
  void stopEverything() {
    ProcessHandle.allProcesses()
        .filter(process -> process.info().command().orElse("").startsWith(folder.toString()))
        .forEach(ProcessHandle::destroyForcibly);
    await().atMost(PATIENCE).until(() -> !isRunning(data));
  }

  @Test
  void keepsDataAndPortFromOneOpenToTheNext() {
    int port;
    try (EmbeddedDatabase database = EmbeddedDatabase.open(data)) {
      port = database.port();
      execute(database, "create schema hooktally", "create table kept as select 42 as answer");
    }
    assertThat(isRunning(data)).isFalse();
    try (EmbeddedDatabase database = EmbeddedDatabase.open(data)) {
      assertThat(database.port()).isEqualTo(port);
      assertThat(ask(database, "select answer::text from kept")).isEqualTo("42");
    }
  }

  @Test
  void isDurableAndPrivateWhateverTheFilesSay() throws IOException {
    Files.writeString(
        data.resolve("pgdata/postgresql.auto.conf"),
        "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\nlisten_addresses = '*'\n");
    try (EmbeddedDatabase database = EmbeddedDatabase.open(data);
        Database pool = open(database)) {
      Map<String, String> settings = new TreeMap<>();
      for (String name :
          List.of("fsync", "full_page_writes", "synchronous_commit", "server_encoding")) {
        settings.put(name, ask(database, "show " + name));
      }
      assertThat(settings)
          .containsExactly(
              Map.entry("fsync", "on"),
              Map.entry("full_page_writes", "on"),
              Map.entry("server_encoding", "UTF8"),
              Map.entry("synchronous_commit", "on"));
      assertThat(ask(database, "show listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(ask(database, "select rolsuper::text from pg_roles where rolname = current_user"))
          .isEqualTo("false");
      pool.check();
    }
  }

  @Test
  void letsNobodyInWithoutThePassword() throws IOException {
    Files.writeString(data.resolve("pgdata/pg_hba.conf"), "host all all all trust\n");
    try (EmbeddedDatabase database = EmbeddedDatabase.open(data)) {
      for (String role : List.of("hooktally", "postgres")) {
        assertThatThrownBy(
                () ->
                    DriverManager.getConnection(database.address().url(), role, "guessed").close())
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("password authentication failed");
      }
    }
    for (String file : List.of("password", "superuser-password")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(file))))
          .isEqualTo("rw-------");
    }
    assertThat(data.resolve("pgdata/pg_hba.conf")).content().doesNotContain("trust");
  }

  @Test
  void adoptsTheServerOfAKilledOwnerAndStopsItAtClose() throws Exception {
    try (Child child = Child.start(data.toString())) {
      Child.Opened before = child.opened();
      long server = serverPid();
      child.kill();
      assertThat(isRunning(data)).isTrue();

      EmbeddedDatabase database = EmbeddedDatabase.open(data);
      assertThat(database.isOwner()).isTrue();
      assertThat(database.port()).isEqualTo(before.port());
      assertThat(serverPid()).isEqualTo(server);
      assertThat(ask(database, "select 'here'")).isEqualTo("here");
      database.close();
      database.close();
      assertThat(isRunning(data)).isFalse();
    }
  }

  @Test
  void joinsARunningServerAndNeverStopsIt() throws Exception {
    try (Child owner = Child.start(data.toString())) {
      Child.Opened opened = owner.opened();
      assertThat(opened.owner()).isTrue();
      try (EmbeddedDatabase joined = EmbeddedDatabase.open(data)) {
        assertThat(joined.isOwner()).isFalse();
        assertThat(joined.port()).isEqualTo(opened.port());
        assertThat(ask(joined, "select 'here'")).isEqualTo("here");
        assertThat(joined.ensureRunning()).isTrue();
      }
      assertThat(isRunning(data)).isTrue();
      owner.finish();
      assertThat(isRunning(data)).isFalse();
    }
  }

  @Test
  void joinsItselfWithinOneProcess() {
    try (EmbeddedDatabase owner = EmbeddedDatabase.open(data)) {
      try (EmbeddedDatabase joined = EmbeddedDatabase.open(data)) {
        assertThat(joined.isOwner()).isFalse();
      }
      assertThat(ask(owner, "select 'here'")).isEqualTo("here");
    }
  }

  @Test
  void ownsOnceWhenTwoCreateAtOnce() throws Exception {
    Path fresh = folder.resolve("fresh");
    try (Child one = Child.start(fresh.toString());
        Child two = Child.start(fresh.toString())) {
      Child.Opened first = one.opened();
      Child.Opened second = two.opened();
      assertThat(first.owner()).isNotEqualTo(second.owner());
      assertThat(first.port()).isEqualTo(second.port());
      (first.owner() ? two : one).finish();
      assertThat(isRunning(fresh)).isTrue();
      (first.owner() ? one : two).finish();
      assertThat(isRunning(fresh)).isFalse();
    }
  }

  @Test
  void startsOverAPidFileWhoseNumberNowIsSomebodyElses() throws Exception {
    Process somebody = new ProcessBuilder("sleep", "600").start();
    try {
      writePidFile(somebody.pid(), 1);
      try (EmbeddedDatabase database = EmbeddedDatabase.open(data)) {
        assertThat(database.isOwner()).isTrue();
        assertThat(serverPid()).isNotEqualTo(somebody.pid());
      }
      assertThat(somebody.isAlive()).isTrue();
    } finally {
      somebody.destroyForcibly();
    }
  }

  @Test
  void startsOverAPidFileOfADeadProcess() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    writePidFile(dead.pid(), 1);
    try (EmbeddedDatabase database = EmbeddedDatabase.open(data)) {
      assertThat(database.isOwner()).isTrue();
    }
  }

  /** Same passwords, same pid file, another directory. */
  @Test
  void doesNotTakeTheOriginalForTheServerOfACopy() throws IOException {
    Path copied = folder.resolve("copied");
    copy(data, copied);
    try (EmbeddedDatabase original = EmbeddedDatabase.open(data)) {
      Files.copy(data.resolve("pgdata/postmaster.pid"), copied.resolve("pgdata/postmaster.pid"));
      try (EmbeddedDatabase copy = EmbeddedDatabase.open(copied)) {
        assertThat(copy.isOwner()).isTrue();
        assertThat(copy.port()).isNotEqualTo(original.port());
      }
      assertThat(ask(original, "select 'here'")).isEqualTo("here");
    }
  }

  @Test
  void restartsAKilledServerOnItsPortSoThatPoolsRecover() throws IOException {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(data);
        Database pool = open(database)) {
      execute(database, "create schema hooktally", "create table kept as select 42 as answer");
      long killed = serverPid();
      ProcessHandle.of(killed).orElseThrow().destroyForcibly();
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                assertThat(serverPid()).isNotEqualTo(killed);
                assertThat(ask(pool, "select answer::text from kept")).isEqualTo("42");
              });
      assertThat(database.ensureRunning()).isTrue();
    }
    assertThat(isRunning(data)).isFalse();
  }

  /** What a terminal sends on Ctrl-C reaches a whole process group: the server is in another. */
  @Test
  void keepsTheServerOutOfOurProcessGroup() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/stat")));
    try (EmbeddedDatabase database = EmbeddedDatabase.open(data)) {
      assertThat(database.isOwner()).isTrue();
      assertThat(processGroup(serverPid()))
          .isNotEqualTo(processGroup(ProcessHandle.current().pid()));
    }
  }

  @Test
  void closesAtTheEndOfTheProcessWhenAsked() throws Exception {
    try (Child child = Child.start(data.toString(), "atExit")) {
      child.opened();
      child.terminate();
      assertThat(isRunning(data)).isFalse();
    }
  }

  @Test
  void refusesDataOfAnotherMajorVersion() throws IOException {
    Files.writeString(data.resolve("pgdata/PG_VERSION"), "17\n");
    assertThatThrownBy(() -> EmbeddedDatabase.open(data))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("PostgreSQL 17")
        .hasMessageContaining("brings 18")
        .hasMessageContaining("pg_dump")
        .hasMessageContaining("database.url");
  }

  @Test
  void saysWhatIsWrongWithADirectoryItCannotUse() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> EmbeddedDatabase.open(file.resolve("data")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("database.dataDir");
  }

  @Test
  void refusesTheDataOfAnotherUser() throws IOException {
    assumeTrue(Files.getOwner(data).getName().equals("root"), "only root can give files away");
    Files.setOwner(
        data.resolve("pgdata"),
        data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    assertThatThrownBy(() -> EmbeddedDatabase.open(data))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("belongs to user nobody")
        .hasMessageContaining("chown -R root");
  }

  @Test
  void saysWhichFileIsMissingWhenThePasswordIsLost() throws IOException {
    Files.delete(data.resolve("superuser-password"));
    assertThatThrownBy(() -> EmbeddedDatabase.open(data))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("superuser-password")
        .hasMessageContaining("Restore");
  }

  @Test
  void writesNoValuesToItsLog() throws IOException {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(data)) {
      execute(
          database,
          "create schema hooktally",
          "create table narrow (value text check (value = ''))");
      assertThatThrownBy(() -> execute(database, "insert into narrow values ('a secret')"))
          .hasMessageContaining("violates check constraint")
          .hasMessageNotContaining("a secret");
    }
    try (Stream<Path> logs = Files.list(data.resolve("log"))) {
      assertThat(logs.filter(log -> log.toString().endsWith(".log")))
          .isNotEmpty()
          .allSatisfy(log -> assertThat(log).content().doesNotContain("a secret"));
    }
  }

  @Test
  void removesAnEphemeralDatabaseAtClose() throws IOException {
    EmbeddedDatabase database = EmbeddedDatabase.ephemeral(EmbeddedDatabase.Options.defaults());
    Path ephemeral = ephemeralOf("this one, " + ProcessHandle.current().pid());
    database.close();
    assertThat(ephemeral).doesNotExist();
  }

  @Test
  void removesTheEphemeralDatabaseOfAKilledProcess() throws Exception {
    try (Child child = Child.start("ephemeral")) {
      child.opened();
      Path abandoned = ephemeralOf(Long.toString(child.pid()));
      child.kill();
      EmbeddedDatabase.ephemeral(EmbeddedDatabase.Options.defaults()).close();
      assertThat(abandoned).doesNotExist();
    }
  }

  private static Path ephemeralOf(String holder) throws IOException {
    try (Stream<Path> folders = Files.list(EphemeralFolders.programs())) {
      return folders
          .filter(each -> Files.exists(each.resolve("lock")))
          .filter(each -> DirectoryLock.holder(each.resolve("lock")).equals(holder))
          .findFirst()
          .orElseThrow();
    }
  }

  private static Database open(EmbeddedDatabase database) {
    return Database.open(
        database.address(), PoolOptions.work("test", 2).withSocketTimeout(Duration.ofSeconds(5)));
  }

  private static void execute(EmbeddedDatabase database, String... statements) {
    try (Database pool = open(database)) {
      pool.jdbi()
          .useHandle(
              handle -> {
                for (String statement : statements) {
                  handle.execute(statement);
                }
              });
    }
  }

  private static String ask(EmbeddedDatabase database, String query) {
    try (Database pool = open(database)) {
      return ask(pool, query);
    }
  }

  private static String ask(Database pool, String query) {
    return pool.jdbi().withHandle(handle -> handle.createQuery(query).mapTo(String.class).one());
  }

  private long serverPid() {
    return PostmasterPid.read(data.resolve("pgdata")).orElseThrow().pid();
  }

  private static boolean isRunning(Path data) {
    return new PostgresServer(new DataDirectory(data)).isAlive();
  }

  private void writePidFile(long pid, int port) throws IOException {
    Files.writeString(
        data.resolve("pgdata/postmaster.pid"),
        pid + "\n" + data.resolve("pgdata") + "\n1700000000\n" + port + "\n\n127.0.0.1\n\nready\n");
  }

  private static String processGroup(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.substring(stat.lastIndexOf(')')).split(" ", -1)[3];
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(from)) {
      files = walk.toList();
    }
    for (Path file : files) {
      Files.copy(
          file,
          to.resolve(from.relativize(file).toString()),
          StandardCopyOption.COPY_ATTRIBUTES,
          LinkOption.NOFOLLOW_LINKS);
    }
  }
}
