import * as vscode from 'vscode';
import { type FollowUpKind, offeredKinds } from '../../protocol/followUp.ts';
import type { RunView } from '../../protocol/runView.ts';
import { worksOf } from '../../protocol/works.ts';
import { readRecord } from '../../files/amendRecord.ts';
import type { RunChoices } from '../../runs/runChoices.ts';
import { focusPanelCommand } from '../commandIds.ts';
import { followUpChoices, tokensOf } from '../history/askAboutRun.ts';
import { markdownLine, oneLine } from '../history/plainText.ts';
import { l10n } from '../l10n.ts';
import { sourceTarget } from '../reports/sourceTarget.ts';
import { restrictedText } from '../restrictedMode.ts';
import { attachedTo, questionOf } from './attachedReferences.ts';
import type { ChatHost } from './chatHost.ts';
import { checkProposed, proposeCheck } from './checkText.ts';
import { ChatOutput, labelOf, placeOf } from './chatOutput.ts';
import { ChatRun } from './chatRun.ts';
import { type Turn, turnOf, words } from './chatTurn.ts';
import { proposeStart, quotedQuestion, showProblem } from './spending.ts';
import { errorText } from '../shownErrors.ts';

type Request = Pick<vscode.ChatRequest, 'prompt' | 'references'> & { readonly command?: string | undefined };

/** What a turn is answered with. */
interface Chat {
  readonly out: ChatOutput;
  /** Of the chat. */
  readonly model: vscode.LanguageModelChat;
  /** Id of the last run that a turn was about. */
  readonly lastRun: string | undefined;
}

/** `@research`: what the panel does, in a chat. The panel shows the same run. */
export class Participant {
  readonly #host: ChatHost;
  readonly #run: ChatRun;

  constructor(host: ChatHost) {
    this.#host = host;
    this.#run = new ChatRun(host);
  }

  async respond(
    request: vscode.ChatRequest,
    { history }: vscode.ChatContext,
    stream: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    const asked = history.findLast((turn) => turn instanceof vscode.ChatRequestTurn);
    const turns = history.filter((turn) => turn instanceof vscode.ChatResponseTurn).map(({ result }) => turnOf(result));
    const before = turns.at(-1) ?? {};
    // The editor passes the command of the turn before along with what it offered.
    const isAnswer =
      request.command === undefined ||
      before.followUps?.some(({ prompt, command }) => prompt === request.prompt && !command);
    const lastRun = turns.findLast((turn) => turn.run !== undefined)?.run;
    const chat = { out: new ChatOutput(stream, token), model: request.model, lastRun };
    try {
      const turn =
        isAnswer && asked ? await this.#continue(before, asked, request, chat) : await this.#begin(request, chat);
      return { metadata: { ...turn } };
    } catch (error) {
      if (error instanceof vscode.CancellationError) return {};
      return { errorDetails: { message: error instanceof Error ? error.message : String(error) } };
    }
  }

  followUps(result: vscode.ChatResult): vscode.ChatFollowup[] {
    return [...(turnOf(result).followUps ?? [])];
  }

  // -------- requests

  async #begin(request: Request, chat: Chat): Promise<Turn> {
    switch (request.command) {
      case 'sources':
        return this.#sources(chat);
      case 'followup':
        return this.#askKind(request, chat);
      case 'verify':
        return proposeCheck(this.#host, request, await this.#modelChoice(chat.model), chat.out);
      default:
        return this.#propose(request, chat);
    }
  }

  /** The turn before has left something open. */
  async #continue({ run, waits }: Turn, asked: Request, request: Request, chat: Chat): Promise<Turn> {
    const { out } = chat;
    const said = request.prompt.trim();
    const askAgain = () => this.#begin({ ...request, command: asked.command }, chat);
    if (waits?.for === 'start') return said === words.start() ? this.#start(asked, waits.model, chat) : askAgain();
    if (waits?.for === 'kind') {
      const chosen = followUpChoices(0).find(({ label }) => label === said);
      return chosen ? this.#followUp(questionOf(asked.prompt, asked.references), chosen.as, chat) : askAgain();
    }
    const session = this.#host.session;
    const { view } = session;
    if (!waits || view.run !== run || !session.running) return this.#begin(request, chat);
    if (!isWaiting(waits, view)) {
      out.markdown(`${vscode.l10n.t('This was decided in the panel already.')}\n\n`);
      return this.#run.follow(out);
    }
    if (waits.for === 'answer') session.answer(waits.id, said === words.skip() || said === '' ? null : said);
    if (waits.for === 'plan') {
      if (said === words.approve()) session.answerPlan(waits.round, { sections: view.plan?.sections ?? [] });
      else session.answerPlan(waits.round, { remark: said });
    }
    if (waits.for === 'entities') {
      if (said !== words.all()) return this.#run.waiting(view, out);
      session.approveEntities(view.entities.map(({ name }) => ({ name, from: [name] })));
    }
    if (waits.for === 'review') {
      if (said !== words.more() && said !== words.report()) return this.#run.waiting(view, out);
      session.decideReview(said === words.more() ? 'continue' : 'report');
    }
    await session.until((now) => !isWaiting(waits, now), out.signal());
    return this.#run.follow(out);
  }

  /** Shows what a run costs and sends, and waits for the user to accept it; one without a model costs nothing. */
  async #propose(request: Request, { model, out }: Chat): Promise<Turn> {
    const question = questionOf(request.prompt, request.references);
    if (question === '') {
      out.markdown(l10n.t('Ask what to research, in one or more sentences.'));
      return {};
    }
    if (this.#isBusy(out)) return {};
    const { choices, refused } = await this.#choices(request, model);
    const why = vscode.workspace.isTrusted
      ? l10n.t('Not attached, because they are no text or file: {0}', refused)
      : restrictedText();
    if (refused > 0) out.markdown(`${why}\n\n`);
    const setup = await this.#host.setupFor(choices);
    if (showProblem(setup, out)) return {};
    if (setup.analyst === 'extractive') return this.#run.start(question, choices, out);
    out.markdown(`${quotedQuestion(question)}\n\n`);
    return proposeStart(this.#host, setup, choices.attached.length > 0, out);
  }

  async #start(asked: Request, shown: string | null, chat: Chat): Promise<Turn> {
    const { model, out } = chat;
    const isCheck = asked.command === 'verify';
    if (!isCheck && this.#isBusy(out)) return {};
    const { choices } = await this.#choices(asked, model);
    // Another model was chosen since: it costs something else.
    const { model: now } = await this.#host.setupFor(choices);
    if (now !== shown) return this.#begin(asked, chat);
    if (isCheck) return checkProposed(this.#host, asked, choices, out);
    return this.#run.start(questionOf(asked.prompt, asked.references), choices, out);
  }

  async #askKind(request: Request, { model, lastRun, out }: Chat): Promise<Turn> {
    const question = questionOf(request.prompt, request.references);
    const about = await this.#reportOf(lastRun);
    if (question === '' || about === undefined) {
      out.markdown(
        about === undefined
          ? l10n.t('There is no finished report to ask about in this chat or in the panel.')
          : l10n.t('Ask something about the report, or say what it should be like.'),
      );
      return {};
    }
    if (this.#isBusy(out)) return {};
    const { analyst, problem, model: name } = await this.#host.setupFor(await this.#modelChoice(model));
    if (problem) throw new Error(errorText(problem.message));
    const tokens = analyst === 'llm' ? await tokensOf(this.#host.runsFolder, about.run) : 0;
    const kinds = offeredKinds(analyst === 'llm');
    const offered = followUpChoices(tokens).filter(({ as }) => kinds.includes(as));
    const lines = offered.map(
      ({ label, detail, description }) =>
        `- **${label}**: ${[detail, description].filter((part) => part !== '').join(', ')}`,
    );
    const title = l10n.t('About “{0}”', oneLine(about.title ?? about.question));
    const by = name === null ? [] : [l10n.t('The model is {0}.', oneLine(name))];
    out.markdown(
      [markdownLine(title), quotedQuestion(question), lines.join('\n'), ...by.map(markdownLine)].join('\n\n'),
    );
    return { run: about.run, waits: { for: 'kind' }, followUps: offered.map(({ label }) => ({ prompt: label })) };
  }

  async #followUp(question: string, as: FollowUpKind, { model, lastRun, out }: Chat): Promise<Turn> {
    const about = await this.#reportOf(lastRun);
    if (about === undefined) throw new Error(vscode.l10n.t('This run no longer exists.'));
    const choices = { ...(await this.#modelChoice(model)), followUp: { run: about.run, as } };
    return this.#run.start(question, choices, out);
  }

  async #sources({ lastRun, out }: Chat): Promise<Turn> {
    const about = await this.#reportOf(lastRun);
    const shown = this.#host.session.view;
    const view = about && (shown.run === about.run ? shown : await (await this.#host.reopened()).read(about.run));
    if (!view) {
      out.markdown(vscode.l10n.t('There is no finished report in this chat or in the panel.'));
      return {};
    }
    const cited = worksOf(view.sources, view.report.citations).filter(({ numbers }) => numbers.length > 0);
    for (const { source, numbers } of cited) {
      const title = `- ${numbers.map((number) => `\\[${number}\\]`).join(' ')} ${markdownLine(oneLine(source.title, 200))}`;
      const target = sourceTarget(source, about.workspace);
      const place = placeOf(target);
      out.markdown(`${title} `);
      if (place) out.anchor(place, labelOf(target));
      out.markdown('\n');
    }
    if (cited.length === 0) out.markdown(vscode.l10n.t('The report cites no source.'));
    return { run: about.run };
  }

  // -------- what a run begins with

  async #choices({ command, references }: Request, model: vscode.LanguageModelChat) {
    const { attached, refused } = await attachedTo(references);
    const showPlan = command === 'plan' || undefined;
    return { choices: { ...(await this.#modelChoice(model)), attached, showPlan }, refused };
  }

  /** The chat's model, where the user leaves the choice to the editor. */
  async #modelChoice({ vendor, id }: vscode.LanguageModelChat): Promise<RunChoices> {
    const provider = this.#host.options().settings['deepResearch.model.provider'] ?? 'auto';
    if (provider !== 'auto' && provider !== 'vscode') return {};
    const offered = await vscode.lm.selectChatModels({ vendor, id });
    return offered.length === 0 ? {} : { editorModel: `${vendor}/${id}` };
  }

  /** The record of a finished run: the given one, else the one that the panel shows. */
  async #reportOf(run: string | undefined) {
    const { view } = this.#host.session;
    const wanted = run ?? (view.status === 'finished' ? view.run : '');
    const record = wanted === '' ? undefined : await readRecord(this.#host.runsFolder, wanted);
    return record?.status === 'finished' ? record : undefined;
  }

  #isBusy(out: ChatOutput): boolean {
    const { running, view } = this.#host.session;
    if (!running) return false;
    out.markdown(
      markdownLine(
        vscode.l10n.t('“{0}” is still running. A window can have one run at a time.', oneLine(view.question)),
      ),
    );
    out.button(focusPanelCommand, vscode.l10n.t('Show'));
    return true;
  }
}

/** Whether the run still waits for what a turn left open. */
function isWaiting(waits: NonNullable<Turn['waits']>, { waitingFor, pending, plan }: RunView): boolean {
  if (waits.for === 'answer') return waitingFor === 'answer' && pending?.id === waits.id;
  if (waits.for === 'plan') return waitingFor === 'plan' && plan?.round === waits.round;
  return waitingFor === waits.for;
}
