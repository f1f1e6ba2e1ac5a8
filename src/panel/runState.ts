import { useState } from 'preact/hooks';
import { usePanel } from './panelContext.ts';

/**
 * What the user opened, ticked or typed in the shown run, which survives a reload of the page until it is forgotten. The third
 * function forgets it: the page is as it is, and the next one begins with `first`.
 */
export function useRunState<T>(name: string, first: T | (() => T)): readonly [T, (next: T) => void, () => void] {
  const { host, run } = usePanel();
  const key = `${run}/${name}`;
  const [value, setValue] = useState<T>((host.ui.ofRun[key] as T | undefined) ?? first);
  const remember = (next?: T): void => {
    // Only the shown run's are remembered: the memory must not grow over the years.
    const own = Object.entries(host.ui.ofRun).filter(([other]) => other.startsWith(`${run}/`));
    host.remember({ ofRun: { ...Object.fromEntries(own), [key]: next } });
  };
  const change = (next: T): void => {
    setValue(() => next);
    remember(next);
  };
  return [value, change, () => remember()];
}
