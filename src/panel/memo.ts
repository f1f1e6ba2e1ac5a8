import { Component, type ComponentChild, type ComponentType, type FunctionComponent, h } from 'preact';

/**
 * A part that is drawn again only when one of its props is another object. The reducer leaves what an event does not
 * touch, so a streaming report does not redraw the lists above it.
 */
export function memo<P extends object>(part: FunctionComponent<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const keys = Object.keys(next) as (keyof P)[];
      if (keys.length !== Object.keys(this.props).length) return true;
      return keys.some((key) => !Object.is((this.props as P)[key], next[key]));
    }

    override render(): ComponentChild {
      return h(part, this.props as P);
    }
  };
}
