/** The part of the main thread that a streaming report may take. */
const share = 1 / 40;
const shortestWaitMs = 80;
const longestWaitMs = 500;

/**
 * Draws at most once a frame, however many messages arrive. Streamed text is drawn less often the longer a drawing
 * takes, so that a slow machine shows a long report in larger steps instead of lagging behind.
 */
export class Pace {
  readonly #render: () => void;
  #frame = 0;
  #timer = 0;
  /** When streamed text may be drawn next, on the clock of `performance.now`. */
  #nextText = 0;

  constructor(render: () => void) {
    this.#render = render;
  }

  draw(when: 'next frame' | 'when cheap'): void {
    if (this.#frame !== 0) return;
    const wait = when === 'next frame' ? 0 : this.#nextText - performance.now();
    if (wait <= 0) this.#onFrame();
    else this.#timer ||= window.setTimeout(() => this.#onFrame(), wait);
  }

  #onFrame(): void {
    this.#frame ||= requestAnimationFrame(() => {
      clearTimeout(this.#timer);
      this.#frame = 0;
      this.#timer = 0;
      const begin = performance.now();
      this.#render();
      const end = performance.now();
      this.#nextText = end + Math.min(Math.max((end - begin) / share, shortestWaitMs), longestWaitMs);
    });
  }
}
