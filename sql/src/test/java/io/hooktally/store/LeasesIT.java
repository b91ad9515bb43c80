package io.hooktally.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hooktally.store.testing.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeasesIT {
  private static final Duration LONG = Duration.ofMinutes(1);

  @RegisterExtension final TestDatabase database = new TestDatabase();

  @Test
  void oneHolderAtATimeAndARisingFence() {
    Leases leases = new Leases(database.get().jdbi());
    Lease first = leases.acquire("run:s:t", "one", LONG).orElseThrow();

    assertThat(leases.acquire("run:s:t", "two", LONG)).isEmpty();
    assertThat(leases.holder("run:s:t")).contains(first);
    leases.release(first);
    assertThat(leases.holder("run:s:t")).isEmpty();
    Lease second = leases.acquire("run:s:t", "two", LONG).orElseThrow();
    assertThat(second.fence()).isEqualTo(first.fence() + 1);
  }

  @Test
  void whoLostTheLeaseCanNeitherWriteNorRenewNorRelease() {
    Leases leases = new Leases(database.get().jdbi());
    Lease stalled = leases.acquire("run:s:t", "one", Duration.ZERO).orElseThrow();
    // Expired, and nobody came: it is still this holder's, and can be extended.
    database.get().jdbi().useTransaction(handle -> leases.check(handle, stalled));
    Lease taken = leases.acquire("run:s:t", "two", LONG).orElseThrow();

    assertThatThrownBy(
            () -> database.get().jdbi().useTransaction(handle -> leases.check(handle, stalled)))
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("run:s:t");
    assertThat(leases.renew(stalled, LONG)).isFalse();
    leases.release(stalled);
    assertThat(leases.holder("run:s:t")).contains(taken);
  }

  @Test
  void renewingExtends() {
    Leases leases = new Leases(database.get().jdbi());
    Lease lease = leases.acquire("run:s:t", "one", Duration.ZERO).orElseThrow();

    assertThat(leases.renew(lease, LONG)).isTrue();

    assertThat(leases.acquire("run:s:t", "two", LONG)).isEmpty();
  }
}
