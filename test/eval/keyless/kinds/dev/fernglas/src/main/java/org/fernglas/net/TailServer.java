package org.fernglas.net;

/**
 * Serves the tail of the log to remote readers over TCP, port 6117 unless the system property {@code fernglas.tail.port} says
 * otherwise.
 *
 * <p>A reader that is more than {@code maxLag} events behind is disconnected, so that a slow reader never pins old segments. It
 * may reconnect and will begin at the oldest segment that is left.
 */
public final class TailServer {
  private final int maxLag;
  private int idleSeconds = 45;

  public TailServer(int maxLag) {
    if (maxLag < 1_000) throw new IllegalArgumentException("maxLag must be 1,000 or more");
    this.maxLag = maxLag;
  }

  /** Closes connections that have neither read nor sent a heartbeat for {@code seconds}. */
  public TailServer idleTimeout(int seconds) {
    this.idleSeconds = seconds;
    return this;
  }
}
