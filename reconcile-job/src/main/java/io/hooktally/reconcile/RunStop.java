package io.hooktally.reconcile;

/** Why a run at work is to end at once. */
enum RunStop {
  /** A person asked for it. */
  CANCELLED,
  /** Its process ends. */
  SERVICE_STOPPED
}
