import { Component, type ComponentChild, type ComponentType, type FunctionComponent, h } from 'preact';

/**
 * A part that is drawn again only when one of its props is another object. The reducer leaves what an event does not
 * touch, so a streaming report does not redraw the lists above it.
 */
export function memo<P extends object>(part: FunctionComponent<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !sameProps(this.props, next);
    }

    override render(): ComponentChild {
      return h(part, this.props as P);
    }
  };
}

function sameProps(a: object, b: object): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.is((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}
