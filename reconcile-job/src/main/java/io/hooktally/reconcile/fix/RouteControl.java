package io.hooktally.reconcile.fix;

import io.hooktally.reconcile.ReconcileException;
import io.hooktally.reconcile.RunContext;
import io.hooktally.reconcile.source.ReadResult;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Rule 8: a 404 is believed only where a known entity reads 200 and a random id 404. A wrong tenant
 * or a broken route makes every id 404. Asked once per run.
 */
final class RouteControl {
  private static final int RANDOM_IDS = 5;

  private final RunContext run;
  private final List<String> known;
  private final RandomGenerator random;
  private boolean passed;

  RouteControl(RunContext run, List<String> known, RandomGenerator random) {
    this.run = run;
    this.known = known;
    this.random = random;
  }

  /** Throws when a 404 means nothing here. */
  void check(String likeId) {
    if (passed) {
      return;
    }
    if (!known.isEmpty() && known.stream().noneMatch(this::exists)) {
      throw new ReconcileException(
          "single reads of "
              + run.type().type()
              + " answer 404 for entities that were just listed: nothing is concluded from a 404;"
              + " check read.path and the credentials of source "
              + run.source().name());
    }
    for (int i = 0; i < RANDOM_IDS; i++) {
      if (!exists(likeThis(likeId))) {
        passed = true;
        return;
      }
    }
    throw new ReconcileException(
        "single reads of "
            + run.type().type()
            + " find entities under random ids: nothing is concluded from them; check read.path of source "
            + run.source().name());
  }

  private boolean exists(String id) {
    try {
      return run.client().read(run.type().type(), id) instanceof ReadResult.Found;
    } catch (io.hooktally.reconcile.source.SourceRefusedException e) {
      // Another entity's body, or an error in place of one: certainly not a 404.
      return true;
    }
  }

  private String likeThis(String id) {
    if (id.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
      return new UUID(random.nextLong(), random.nextLong()).toString();
    }
    if (id.matches("\\d{1,9}")) {
      return String.valueOf(random.nextInt(1_000_000_000, Integer.MAX_VALUE));
    }
    StringBuilder like = new StringBuilder();
    id.codePoints().forEach(c -> like.appendCodePoint(likeThis(c)));
    // Short ids leave little to chance.
    return like.length() < 6 ? like + Long.toHexString(random.nextLong()) : like.toString();
  }

  private int likeThis(int c) {
    if (c >= '0' && c <= '9') {
      return '0' + random.nextInt(10);
    } else if (c >= 'a' && c <= 'z') {
      return 'a' + random.nextInt(26);
    } else if (c >= 'A' && c <= 'Z') {
      return 'A' + random.nextInt(26);
    }
    return c;
  }
}
