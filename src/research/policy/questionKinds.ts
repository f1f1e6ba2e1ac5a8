import { type QuestionKind, questionKinds } from '../tools.ts';

/** Words that are typical of a kind of question, as stems. English: queries of other languages carry English terms. */
const signs: Readonly<Record<QuestionKind, string>> = {
  science: `abstract algorithm arxiv attention benchmark biolog cell chemi clinical disease drug evidence experiment gene hypothes
    inhibitor learn literature mathemat mechanism medic method neural paper patient physic preprint proof protein quantum
    receptor research retriev review scien state-of-the-art stud survey technique theor therap treatment trial`,
  software: `api app bug build cli cloud code compil config deploy developer docker engine error framework github implement
    install issue java kubernetes librar licen linux migrat npm open-source package plugin program project protocol python
    release repo rust sdk server software sql tool typescript version`,
  models: `checkpoint dataset diffusion embedding fine-tun gguf hugging inference language-model llm quantiz tokeniz transformer weights`,
  opinion: `alternativ best-practice communit complain critic discuss experience lesson opinion practi pros recommend regret vs worth`,
  news: `announce current event latest launch month news newest now recent release this-year today trend upcoming week year`,
  reference: `background biograph capital definition defin explain founder histor inventor introduc mean overview population what-is when where who`,
  notes: `decision meeting my note our team`,
};

const patterns = Object.fromEntries(
  questionKinds.map((kind) => [kind, new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives(signs[kind])})`, 'iu')]),
) as Record<QuestionKind, RegExp>;

/** What a question, a section's title or a query asks for; empty when its words do not show it. */
export function questionKindsOf(text: string): ReadonlySet<QuestionKind> {
  const words = text.slice(0, 4_000);
  return new Set(questionKinds.filter((kind) => patterns[kind].test(words)));
}

function alternatives(stems: string): string {
  return stems
    .split(/\s+/)
    .map((stem) => stem.replaceAll('-', '[\\s-]'))
    .join('|');
}
