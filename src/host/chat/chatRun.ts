import path from 'node:path';
import * as vscode from 'vscode';
import type { ResearchEvent } from '../../protocol/events.ts';
import type { RunView } from '../../protocol/runView.ts';
import { estimateText } from '../../protocol/setupLine.ts';
import { Texts } from '../../protocol/texts.ts';
import type { RunChoices } from '../../runs/runChoices.ts';
import { commandIds, focusPanelCommand } from '../commandIds.ts';
import { markdownLine, oneLine } from '../history/plainText.ts';
import { l10n } from '../l10n.ts';
import { sourceTarget } from '../reports/sourceTarget.ts';
import type { ChatHost } from './chatHost.ts';
import { type ChatOutput, locationOf, placeOf } from './chatOutput.ts';
import { type Turn, words } from './chatTurn.ts';
import { type GivenPart, ReportStream } from './reportStream.ts';
import { quotesFiles } from './toolResult.ts';
import { errorText } from '../shownErrors.ts';

/** The window's run as a chat shows it. */
export class ChatRun {
  readonly #host: ChatHost;
  /** What was given of the report of the last run: its turns share it. */
  #given: { readonly run: string; readonly stream: ReportStream } | undefined;
  /** What a chat says is read by its models. */
  #showsFiles = false;

  constructor(host: ChatHost) {
    this.#host = host;
  }

  async start(question: string, choices: RunChoices, out: ChatOutput): Promise<Turn> {
    if (this.#host.session.start(question, choices) === false)
      throw new Error(vscode.l10n.t('Another run is in progress in this window.'));
    await this.#host.panel.show(true);
    return this.follow(out);
  }

  /** Gives what the run in progress writes, until it waits for the user or has ended. Cancelling the request stops it. */
  async follow(out: ChatOutput): Promise<Turn> {
    const session = this.#host.session;
    const following = new AbortController();
    const stop = out.token.onCancellationRequested(() => void session.stop());
    try {
      if (out.token.isCancellationRequested) await session.stop();
      const texts = new Texts(await this.#host.texts(), vscode.env.language);
      this.#showsFiles = (await this.#host.setupFor({})).workspaceForModel === 'content';
      session.follow((event) => event && this.#tell(event, session.view, texts, out), following.signal);
      await session.until(({ waitingFor }) => waitingFor !== null, following.signal);
      const { view } = session;
      return view.waitingFor === null ? this.#ended(view, texts, out) : await this.waiting(view, out);
    } finally {
      following.abort();
      stop.dispose();
    }
  }

  /** What the run asks of the user: here, or in the panel, where a plan can be edited too. */
  async waiting(view: RunView, out: ChatOutput): Promise<Turn> {
    const { run, pending, plan, entities, review } = view;
    const turn = (waits: NonNullable<Turn['waits']>, ...prompts: string[]): Turn => ({
      ...{ run, waits },
      followUps: prompts.map((prompt) => ({ prompt })),
    });
    if (view.waitingFor === 'answer' && pending) {
      out.markdown(`**${line(pending.question)}**\n\n${line(pending.why)}`);
      const options = pending.options.map(({ label }) => oneLine(label, 300));
      return turn({ for: 'answer', id: pending.id }, ...options, words.skip());
    }
    if (view.waitingFor === 'plan' && plan) {
      const texts = new Texts(await this.#host.texts(), vscode.env.language);
      const estimate = texts.of('plan.estimate', estimateText(plan.estimate, view.analyst, texts));
      const choose = l10n.t(
        'Choose {0}, say what should be different, or edit the plan in the panel.',
        `**${words.approve()}**`,
      );
      const sections = plan.sections.map(({ title, description }) => `1. **${line(title)}** ${line(description)}`);
      out.markdown(`${sections.join('\n')}\n\n${markdownLine(estimate)} ${choose}`);
      out.button(focusPanelCommand, l10n.t('Edit Plan'));
      return turn({ for: 'plan', round: plan.round }, words.approve());
    }
    if (view.waitingFor === 'entities') {
      const found = entities.map(({ name, brief }) => `- **${line(name)}** ${line(brief)}`);
      const choose = l10n.t('Choose {0}, or edit the list in the panel.', `**${words.all()}**`);
      out.markdown(`${found.join('\n')}\n\n${choose}`);
      out.button(focusPanelCommand, l10n.t('Edit List'));
      return turn({ for: 'entities' }, words.all());
    }
    out.markdown((review?.gaps ?? []).map(({ gap }) => `- ${line(gap)}`).join('\n'));
    out.button(focusPanelCommand, l10n.t('Choose Sections'));
    return turn({ for: 'review' }, words.more(), words.report());
  }

  #tell(event: ResearchEvent, view: RunView, texts: Texts, out: ChatOutput): void {
    if (event.type === 'run/phase') {
      const { phase } = event;
      out.progress(texts.of(`phase.${phase === 'assess' || phase === 'analyze' ? 'understand' : phase}`));
    }
    if (event.type === 'section/updated' && event.status === 'completed') out.progress(oneLine(event.title));
    if (event.type === 'run/paused') out.progress(oneLine(errorText(event.message), 300));
    if (event.type === 'report/delta' && this.#mayGive(view)) this.#give(this.#streamOf(view).written(view), out);
  }

  #ended(view: RunView, texts: Texts, out: ChatOutput): Turn {
    const { run, status, end, report } = view;
    if (status !== 'finished') {
      const why = [end?.message, end?.next].flatMap((text) => (text ? errorText(text) : [])).join(' ');
      out.markdown(markdownLine(status === 'cancelled' ? l10n.t('The run was stopped. What it found is saved.') : why));
      if (run !== '') out.button(commandIds.resumeRun, l10n.t('Resume'), run);
      return run === '' ? {} : { run };
    }
    if (this.#mayGive(view)) this.#give(this.#streamOf(view).finished(view), out);
    else
      out.markdown(
        `${l10n.t('The report quotes files, which the settings show to no model. It is open in the editor.')}\n\n`,
      );
    if (report.path !== undefined) {
      out.markdown(`${l10n.t('Report:')} `);
      out.anchor(vscode.Uri.file(report.path), path.basename(report.path));
      out.markdown('\n\n');
    }
    const { cited = 0, verified = 0 } = report.checked ?? {};
    const tokens = view.tokens.in + view.tokens.out;
    const figures = [
      ...(view.analyst === 'llm' && cited > 0 ? [l10n.t('Verified: {0} of {1}.', verified, cited)] : []),
      ...(tokens > 0 ? [l10n.t('{0} tokens.', texts.compact(tokens))] : []),
      ...(view.cost === null ? [] : [`${texts.money(view.cost)}.`]),
    ];
    out.markdown(figures.join(' '));
    const gaps = (end?.gaps ?? []).slice(0, 2).map(({ gap }) => ({ prompt: oneLine(gap, 300), command: 'followup' }));
    return { run, followUps: [{ prompt: words.sources(), command: 'sources' }, ...gaps] };
  }

  #streamOf({ run }: RunView): ReportStream {
    if (this.#given?.run !== run) this.#given = { run, stream: new ReportStream(this.#host.options().workspaceFolder) };
    return this.#given.stream;
  }

  #mayGive(view: RunView): boolean {
    return this.#showsFiles || !quotesFiles(view);
  }

  #give(parts: readonly GivenPart[], out: ChatOutput): void {
    const { workspaceFolder } = this.#host.options();
    for (const { pieces, sources, isChanged } of parts) {
      if (isChanged) out.markdown(`*${vscode.l10n.t('Changed since it was shown:')}*\n\n`);
      for (const piece of pieces) {
        if ('markdown' in piece) out.markdown(piece.markdown);
        else out.anchor(locationOf(piece.file), piece.label);
      }
      for (const source of sources) {
        const place = placeOf(sourceTarget(source, workspaceFolder));
        if (place) out.reference(place);
      }
    }
  }
}

function line(text: string): string {
  return markdownLine(oneLine(text, 600));
}
