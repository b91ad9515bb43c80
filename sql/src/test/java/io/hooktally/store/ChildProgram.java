package io.hooktally.store;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A process that opens a database, says so in one line, and closes it when its input ends: {@code
 * <directory>}, {@code ephemeral} or {@code <directory> atExit}. Or one that migrates: {@code
 * migrate <url> <user> <password>}.
 */
final class ChildProgram {
  private ChildProgram() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments[0].equals("migrate")) {
      new Migrations(new DatabaseAddress(arguments[1], arguments[2], new Secret(arguments[3])))
          .migrate();
      return;
    }
    EmbeddedDatabase database =
        arguments[0].equals("ephemeral")
            ? EmbeddedDatabase.ephemeral(EmbeddedDatabase.Options.defaults())
            : EmbeddedDatabase.open(Path.of(arguments[0]));
    if (arguments.length > 1) {
      database.closeAtExit();
    }
    System.out.println("opened " + database.isOwner() + " " + database.port());
    while (System.in.read() >= 0) {
      // Until whoever started us closes our input.
    }
    database.close();
  }
}
