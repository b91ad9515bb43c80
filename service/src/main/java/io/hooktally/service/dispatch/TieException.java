package io.hooktally.service.dispatch;

import io.hooktally.service.HooktallyException;
import io.hooktally.store.replica.EntityKey;

/** The entity changed during every one of several reads in a row; a later attempt settles it. */
final class TieException extends HooktallyException {
  private static final long serialVersionUID = 1L;

  TieException(EntityKey key) {
    super(key + " changed during every read: it is read again with the next attempt");
  }
}
