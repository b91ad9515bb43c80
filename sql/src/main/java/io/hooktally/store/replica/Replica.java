package io.hooktally.store.replica;

import com.fasterxml.jackson.databind.JsonNode;
import io.hooktally.store.replica.VersionRule.Verdict;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The replica and apply, the only code that writes it. Whatever the lane, {@link #apply} decides by
 * one version rule, under the row's lock. Thread-safe; every method without a {@link Handle} is a
 * transaction of its own.
 */
public final class Replica {
  private final Jdbi jdbi;

  /** The replica in the database of {@code jdbi}. */
  public Replica(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * Begins a read: draws its number before the API request is sent, and notes what is known of the
   * entity now.
   */
  public ReadTicket beginRead(EntityKey key) {
    return jdbi.withHandle(handle -> EntityRows.beginRead(handle, key));
  }

  /** {@link #apply(Handle, Change)} in a transaction of its own. */
  public Applied apply(Change change) {
    return jdbi.inTransaction(handle -> apply(handle, change));
  }

  /**
   * Brings a change into the replica if it is newer, inside the caller's transaction. The row is
   * locked until that transaction ends.
   *
   * @return what was done; on {@link Applied#TIE} nothing was, and the caller reads the source
   */
  public Applied apply(Handle handle, Change change) {
    while (true) {
      Entity current = EntityRows.find(handle, change.key(), true).orElse(null);
      Verdict verdict = VersionRule.decide(current, change);
      if (verdict == Verdict.TIE) {
        return Applied.TIE;
      } else if (verdict == Verdict.OLDER) {
        return Applied.OLDER;
      }
      Entity next = next(current, change);
      if (current == null) {
        if (EntityRows.insert(handle, next)) {
          return Applied.CHANGED;
        }
        // Another transaction inserted the row between our look and our insert: look again.
        continue;
      }
      if (sameContent(current, next)) {
        EntityRows.updateVersion(handle, next);
        return Applied.UNCHANGED;
      }
      EntityRows.update(handle, next);
      return Applied.CHANGED;
    }
  }

  /** The row of an entity, a tombstone too. */
  public Optional<Entity> find(EntityKey key) {
    return jdbi.withHandle(handle -> EntityRows.find(handle, key, false));
  }

  /** The row of an entity, locked until the caller's transaction ends. */
  public Optional<Entity> lock(Handle handle, EntityKey key) {
    return EntityRows.find(handle, key, true);
  }

  /** The rows of many entities of one type by their ids; those we do not have are absent. */
  public Map<String, Entity> find(String source, String entityType, Collection<String> ids) {
    return jdbi.withHandle(handle -> EntityRows.find(handle, source, entityType, ids)).stream()
        .collect(Collectors.toMap(entity -> entity.key().entityId(), Function.identity()));
  }

  /**
   * The live rows (no tombstones) whose modified time lies in [from, to), in the order of time and
   * id, some at a time.
   *
   * @param after the last one of the call before; null at first
   * @param limit how many at most
   */
  public List<EntityVersion> window(
      String source,
      String entityType,
      Instant from,
      Instant to,
      @Nullable EntityVersion after,
      int limit) {
    return jdbi.withHandle(
        handle -> EntityRows.window(handle, source, entityType, from, to, after, limit));
  }

  /** All live rows (no tombstones) of a type, in the order of their ids, some at a time. */
  public List<EntityVersion> live(String source, String entityType, String afterId, int limit) {
    return jdbi.withHandle(handle -> EntityRows.live(handle, source, entityType, afterId, limit));
  }

  /**
   * The live rows whose modified time lies in [from, to), newest first, for a comparison.
   *
   * @param after the last one of the call before; null at first
   * @param limit how many at most
   */
  public List<EntityText> texts(
      String source,
      String entityType,
      Instant from,
      Instant to,
      @Nullable EntityText after,
      int limit) {
    return jdbi.withHandle(
        handle -> EntityTexts.window(handle, source, entityType, from, to, after, limit));
  }

  /** How many live rows have a modified time in [from, to). */
  public long count(String source, String entityType, Instant from, Instant to) {
    return jdbi.withHandle(handle -> EntityRows.count(handle, source, entityType, from, to));
  }

  /** Some live entities of a type other than this one, the last changed first. */
  public List<String> others(EntityKey key, int limit) {
    return jdbi.withHandle(handle -> EntityRows.others(handle, key, limit));
  }

  /** Whether the replica has nothing of this entity type, not even a tombstone. */
  public boolean isEmpty(String source, String entityType) {
    return !jdbi.<Boolean, RuntimeException>withHandle(
        handle -> EntityRows.any(handle, source, entityType));
  }

  // What the row becomes, given that the change is newer.
  private static Entity next(@Nullable Entity current, Change change) {
    if (change instanceof Change.Payload payload) {
      Version version = new Version(0, payload.modified(), 0);
      return live(payload, version, Alteration.of(payload.body()), payload.body(), null);
    } else if (change instanceof Change.Read read) {
      Version version = new Version(read.ticket().epoch(), read.modified(), read.ticket().number());
      return live(read, version, Alteration.of(read.body()), read.body(), null);
    } else if (change instanceof Change.Gone gone) {
      // The last modified time known is kept, and the last body, so that a report can name it.
      Instant modified = current == null ? null : current.modified();
      Version version = new Version(gone.ticket().epoch(), modified, gone.ticket().number());
      return tombstone(current, gone, version, null);
    }
    Change.Unsettled unsettled = (Change.Unsettled) change;
    long readNumber = current == null ? 0 : current.version().readNumber();
    int epoch = current == null ? 0 : current.version().epoch();
    if (unsettled.body() == null) {
      Instant modified = current == null ? null : current.modified();
      Version version = new Version(epoch, modified, readNumber);
      return tombstone(current, unsettled, version, unsettled.ledgerSeq());
    }
    Version version = new Version(epoch, unsettled.modified(), readNumber);
    return live(
        unsettled,
        version,
        Alteration.of(unsettled.body()),
        unsettled.body(),
        unsettled.ledgerSeq());
  }

  private static Entity live(
      Change change,
      Version version,
      Alteration alteration,
      JsonNode original,
      @Nullable Long ledgerSeq) {
    return new Entity(
        change.key(),
        version,
        false,
        alteration.body(),
        CanonicalJson.hash(original),
        alteration.altered(),
        ledgerSeq,
        ledgerSeq != null,
        change.lane(),
        change.eventId(),
        Instant.EPOCH);
  }

  private static Entity tombstone(
      @Nullable Entity current, Change change, Version version, @Nullable Long ledgerSeq) {
    return new Entity(
        change.key(),
        version,
        true,
        current == null ? null : current.body(),
        current == null ? null : current.bodyHash(),
        current != null && current.altered(),
        ledgerSeq,
        ledgerSeq != null,
        change.lane(),
        change.eventId(),
        Instant.EPOCH);
  }

  // Bodies are compared, not stored hashes alone: a body may have been changed behind our back.
  private static boolean sameContent(Entity current, Entity next) {
    if (current.deleted() || next.deleted()) {
      return current.deleted() && next.deleted();
    }
    return Objects.equals(current.modified(), next.modified())
        && Objects.equals(current.bodyHash(), next.bodyHash())
        && current.body() != null
        && next.body() != null
        && CanonicalJson.write(current.body()).equals(CanonicalJson.write(next.body()));
  }
}
