import type { RunView } from '../protocol/runView.ts';
import { Disclosure, Foreign } from './controls.tsx';
import { memo } from './memo.ts';
import { usePanel } from './panelContext.ts';

/** What went wrong without ending the run. One entry for each message, with the sections that it concerns. */
export const WarningList = memo(function WarningList({ warnings, sections }: Pick<RunView, 'warnings' | 'sections'>) {
  const { texts } = usePanel();
  const messages = Map.groupBy(warnings, (warning) => warning.message);
  const titles = new Map(sections.map((section) => [section.id, section.title]));
  return (
    <Disclosure name="warnings" title={texts.of('warnings.title')} icon="warning" note={texts.number(messages.size)}>
      {() => (
        <ul class="warnings">
          {[...messages].map(([message, all]) => {
            const concerned = [
              ...new Set(all.flatMap(({ section }) => (section === undefined ? [] : [titles.get(section) ?? section]))),
            ];
            return (
              <li key={message} data-testid="warning">
                <Foreign as="p" text={message} />
                {concerned.length > 0 && (
                  <Foreign
                    as="p"
                    class="quiet"
                    text={concerned.map((title) => texts.of('warnings.in', title)).join(', ')}
                  />
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Disclosure>
  );
});
