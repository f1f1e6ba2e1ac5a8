package org.fernglas.store;

/** When written events are forced to the disk. */
public enum SyncPolicy {
  /** After each append; survives a power failure, costs about 7 ms a call. */
  EVERY_APPEND,
  /** Every 200 ms in the background. The default. */
  PERIODIC,
  /** Left to the operating system. */
  NEVER
}
