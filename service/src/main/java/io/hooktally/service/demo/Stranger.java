package io.hooktally.service.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/**
 * Somebody with psql who changes rows of the replica behind Hooktally's back. Notes with the
 * platform what was done, and does it only to orders that were right.
 */
final class Stranger {
  private static final String DIFFERENT =
      """
      update entity
         set body = jsonb_set(body, '{grand_total}',
                              to_jsonb((body ->> 'grand_total')::numeric + 100.0000))
       where source = :source and entity_type = 'order' and entity_id = :id
      """;
  private static final String MISSING =
      """
      delete from entity
       where source = :source and entity_type = 'order' and entity_id = :id
      """;
  private static final String STALE =
      """
      update entity
         set modified_second = modified_second - 1,
             modified_at = modified_at - interval '1 second',
             body = body || '{"status": "pending"}'
       where source = :source and entity_type = 'order' and entity_id = :id
      """;
  private static final String EXTRA =
      """
      insert into entity (source, entity_type, entity_id, epoch, modified_second, modified_nano,
                          read_number, deleted, body, body_hash, modified_at, lane, changed_at)
      select source, entity_type, cast(:copy as text), epoch, modified_second, modified_nano,
             read_number, deleted, jsonb_set(body, '{id}', to_jsonb(cast(:copy as text))), body_hash, modified_at,
             lane, changed_at
        from entity
       where source = :source and entity_type = 'order' and entity_id = :id
      """;

  private final Jdbi database;
  private final String source;
  private final Random random;

  Stranger(Jdbi database, String source, long seed) {
    this.database = database;
    this.source = source;
    this.random = new Random(seed);
  }

  /**
   * Does some of each kind.
   *
   * @return how many rows it touched
   */
  int meddle(SimulatedPlatform platform) {
    List<String> right = new ArrayList<>(platform.inStep());
    Collections.shuffle(right, random);
    int most = Math.max(1, right.size() / 80);
    int at = 0;
    for (int i = 0; i < most; i++) {
      change(platform, DIFFERENT, right.get(at++), Kind.DIFFERENT);
      change(platform, MISSING, right.get(at++), Kind.MISSING);
      change(platform, STALE, right.get(at++), Kind.STALE);
    }
    String copy = new UUID(random.nextLong(), random.nextLong()).toString();
    run(EXTRA, Map.of("source", source, "id", right.get(at), "copy", copy));
    platform.noteCorrupted(copy, Kind.EXTRA);
    return 3 * most + 1;
  }

  private void change(SimulatedPlatform platform, String sql, String id, Kind kind) {
    run(sql, Map.of("source", source, "id", id));
    platform.noteCorrupted(id, kind);
  }

  private void run(String sql, Map<String, String> values) {
    int rows = database.withHandle(handle -> handle.createUpdate(sql).bindMap(values).execute());
    if (rows != 1) {
      throw new IllegalStateException("the replica is not as the demo thought: " + values);
    }
  }
}
