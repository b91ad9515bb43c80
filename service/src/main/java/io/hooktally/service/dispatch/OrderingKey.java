package io.hooktally.service.dispatch;

import io.hooktally.reconcile.source.EntityRef;
import io.hooktally.store.dispatch.Claimed;
import io.hooktally.store.replica.EntityKey;

/** The ordering key {@code entity}: the type and the id. A type's name has no slash. */
final class OrderingKey {
  private OrderingKey() {}

  static String of(EntityRef ref) {
    return ref.entityType() + "/" + ref.entityId();
  }

  /** The entity a claimed row is about. */
  static EntityKey entity(String source, Claimed claimed) {
    String id = claimed.key().substring(claimed.entityType().length() + 1);
    return new EntityKey(source, claimed.entityType(), id);
  }
}
