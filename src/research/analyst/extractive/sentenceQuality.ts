import type { SourceKind } from '../../tools.ts';
import { hasEnglishVerb } from './englishVerbs.ts';

/**
 * How well a sentence reads by itself, 0 to 1; 0 means that it must not be quoted alone. Rules of the languages that people
 * write documentation and papers in; a language without rules is judged by form alone. All patterns are linear in the
 * sentence, which is at most 900 characters long.
 */
export function judgeSentence(sentence: string, kind: SourceKind, beginsWithName = false): number {
  const { dense, letters } = sharesOf(sentence);
  if (!hasForm(sentence, dense, letters, beginsWithName)) return 0;
  // Lower case once: matching without regard to case costs several times as much.
  const lower = sentence.toLowerCase();
  if (leansOnNeighbours(lower)) return 0;
  if (boilerplate.test(lower) || (kind === 'github' && manual.test(lower))) return 0;
  if (dense < 0.3 && isEnglish(sentence) && !hasEnglishVerb(sentence)) return 0;
  const isMinutes = minutes.test(lower);
  if (isMinutes && kind !== 'workspace') return 0;
  let quality = isMinutes ? minutesQuality : 1;
  for (const [pattern, factor] of weaknesses) if (pattern.test(sentence)) quality *= factor;
  if (kind === 'github' && /\b(?:you|your)\b/iu.test(sentence)) quality *= 0.8;
  const comfortable = dense >= 0.3 ? sentence.length <= 110 : sentence.length >= 60 && sentence.length <= 260;
  return comfortable ? quality : quality * 0.85;
}

interface Shares {
  /** Share of characters that each say as much as a syllable or a word: Chinese, Japanese, Korean, Thai. */
  readonly dense: number;
  /** Share of letters, those included. */
  readonly letters: number;
}

/** One pass over the code units: sentences come by the ten thousand. */
function sharesOf(sentence: string): Shares {
  let dense = 0;
  let letters = 0;
  for (let at = 0; at < sentence.length; at += 1) {
    const code = sentence.charCodeAt(at);
    if (code < 0x80) {
      if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) letters += 1;
      continue;
    }
    const isDense =
      (code >= 0x3041 && code <= 0x30ff) ||
      (code >= 0x3400 && code <= 0x9fff) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xe01 && code <= 0xe4e);
    if (isDense) dense += 1;
    // Beyond ASCII nearly everything but general punctuation is a letter or part of one.
    if (code >= 0xc0 && (code < 0x2000 || code > 0x2bff) && (code < 0x3000 || code > 0x303f) && code < 0xff00)
      letters += 1;
  }
  return { dense: dense / sentence.length, letters: letters / sentence.length };
}

function hasForm(sentence: string, dense: number, letters: number, beginsWithName: boolean): boolean {
  const [least, most] = dense >= 0.3 ? [14, 180] : [40, 350];
  if (sentence.length < least || sentence.length > most) return false;
  // Ends as a statement: no question, call, colon, or cut.
  if (!/[.。．۔।](?:["'”’»)\]」』）])?$/u.test(sentence) || /(?:\.\.\.?|…|\betc\.)["'”’»)]?$/u.test(sentence))
    return false;
  // Begins as a sentence does. Names such as "nDCG", "arXiv" and "llama.cpp" may stand in front.
  if (!beginsWithName && !/^["'“‘«„「『(`]?(?:[\p{Lu}\p{Lt}\p{Lo}\p{N}]|\p{Ll}+[\p{Lu}\p{N}.+])/u.test(sentence))
    return false;
  if (/^\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.):]\s|^\d+\s*[-–:]\s/u.test(sentence)) return false;
  if (/(?![\d#*©®™↔→←])\p{Extended_Pictographic}/u.test(sentence)) return false;
  if (/[✓✔✗✘★☆►▶●■□◆]|[.!?]{2,}|!/u.test(sentence)) return false;
  if (!isBalanced(sentence)) return false;
  if (dense >= 0.3) return true;
  const words = sentence.split(' ').length;
  if (words < 6 || letters < 0.62) return false;
  // More of it is code or shouting than words.
  if ((sentence.match(/`/g)?.length ?? 0) > 4) return false;
  return (sentence.match(/\b\p{Lu}{3,}\b/gu)?.length ?? 0) <= words / 3;
}

function isBalanced(sentence: string): boolean {
  for (const [open, close] of [
    ['(', ')'],
    ['（', '）'],
    ['“', '”'],
    ['«', '»'],
    ['「', '」'],
    ['『', '』'],
  ] as const) {
    if (
      (sentence.includes(open) || sentence.includes(close)) &&
      sentence.split(open).length !== sentence.split(close).length
    )
      return false;
  }
  return ['"', '`'].every((mark) => !sentence.includes(mark) || sentence.split(mark).length % 2 === 1);
}

// ---------------------------------------------------------------------------------------------------- standing by itself

/** Words at the beginning that point back at a sentence that is not quoted. */
const backwardStart = [
  /^["'“(]?(?:this|that|these|those|it|its|they|their|them|he|she|his|her|such|both|each (?:of|one|is|has|was|can)|neither|either|another|others?|some of (?:these|them)|the (?:former|latter|above|following|same|other|two|second|third|last|next|rest|resulting|proposed|aforementioned|project|repo|repository|paper|authors?|work|method|approach|framework|system|model|goal|idea|result|results|contributions?|experiments?|evaluation|study|survey|latter|reason|problem|key|code|library|tool|platform|package|app|application|assistant|extension|plugin|script|demo|command|file)|one|now|here|there|then|thus|hence|so|therefore|however|but|and|or|nor|yet|moreover|furthermore|additionally|also|besides|in addition|finally|lastly|first|firstly|second|secondly|third|thirdly|next|nevertheless|nonetheless|instead|otherwise|likewise|similarly|meanwhile|consequently|accordingly|conversely|specifically|in particular|particularly|notably|indeed|overall|again|still|rather|more (?:specifically|precisely|importantly|generally)|for (?:example|instance|this|that|these)|as (?:a result|such|well|an example|shown|described|mentioned|above|before|noted)|in (?:contrast|this|that|these|other words|short|summary|conclusion|fact|both|doing so|total)|on the (?:other|one) (?:hand|side)|to (?:this|that|these|address|bridge|overcome|tackle|solve|mitigate|fill|answer|do|do so|achieve|close) (?:this|that|these|those|end|the gap|so)?|because of (?:this|that)|due to (?:this|that|these)|with (?:this|that|these)|by (?:doing|contrast)|after (?:this|that)|at (?:this|that|the same)|that(?: is|'s)|which|who|what|when it|if (?:so|not|this|that|it|they)|see|note|remember|please|only then|not only this|see also|same|all of (?:this|these|them|the above)|most of (?:these|them)|unlike (?:this|these|them)|building on (?:this|these|that)|based on (?:this|these|that)|using (?:this|these|that)|despite (?:this|these|that)|given (?:this|these|that)|under (?:this|these)|through (?:this|these)|across (?:these|all)|from (?:this|these)|of (?:these|them)|among (?:these|them)|beyond (?:this|these))\b(?!-)/u,
  /^["“「『（]?(?:这|該|该|此|其|它|他|她|那|上述|以上|以下|前者|后者|然而|但|不过|而且|并且|因此|所以|于是|同时|此外|另外|例如|比如|具体来说|总之|最后|首先|其次|接着|同样|相比之下|其中|另一方面|也就是说|换句话说|结果)/u,
  /^["「『（]?(?:これ|それ|あれ|この|その|あの|こう|そう|ここ|そこ|しかし|だが|また|そして|さらに|例えば|たとえば|したがって|つまり|なお|一方|ただし|そのため|まず|次に|最後に|同様に|とくに|特に)/u,
  /^["“「『(]?(?:이는|이것|이러한|이런|이를|이로|그것|그는|그러나|하지만|또한|따라서|그리고|그래서|예를 들어|한편|반면|즉|게다가|마지막으로|먼저|다음으로|해당|이 (?:방법|논문|연구|모델|기술))/u,
  /^["«„(]?(?:это|эти|этот|эта|этого|этому|он|она|оно|они|их|его|её|такой|такие|такая|однако|но|а|и|поэтому|также|кроме того|например|таким образом|тем не менее|при этом|затем|наконец|во-первых|во-вторых|здесь|там|в частности|другой|другие|данный|данная|данные методы)(?![\p{L}])/u,
  /^["„(]?(?:dies(?:e[rsnm]?)?|jene[rsnm]?|er|sie|es|ihre?[rsnm]?|seine?[rsnm]?|jedoch|aber|doch|und|oder|daher|deshalb|somit|außerdem|zudem|zum beispiel|beispielsweise|dabei|dadurch|dagegen|hier|dort|dann|so|schließlich|zunächst|auch|allerdings|solche[rsnm]?|damit|hierbei|das (?:ist|sind|war)|letztere[rsnm]?|erstere[rsnm]?)(?![\p{L}])/u,
  /^["«(]?(?:ce(?:t|tte|s|la|ci)?|c'est|ça|il|ils|elle|elles|leurs?|sa|son|ses|cependant|mais|et|ou|donc|ainsi|de plus|par exemple|en outre|toutefois|enfin|ensuite|d'abord|ici|là|or|par conséquent|en effet|celui-ci|celle-ci|ces derni)(?![\p{L}])/u,
  /^["«(]?(?:est[aeo]s?|es[aeo]s?|ello|él|ella|ellos|ellas|su|sus|sin embargo|pero|y|o|por (?:lo tanto|ejemplo|eso|ello)|además|también|así|finalmente|luego|aquí|allí|en cambio|no obstante|dicho|dicha|dichos|dichas)(?![\p{L}])/u,
  /^["«(]?(?:isto|isso|esta|este|essa|esse|ele|ela|eles|elas|porém|mas|e|portanto|além disso|por exemplo|assim|questo|questa|questi|queste|esso|essa|tuttavia|ma|quindi|inoltre|per esempio)(?![\p{L}])/u,
  /^["«(]?(?:هذا|هذه|ذلك|تلك|هو|هي|هم|وهو|وهي|لكن|ولكن|ومع ذلك|لذلك|وبالتالي|كما|أيضا|بالإضافة|على سبيل المثال|حيث|ثم|وقد)(?![\p{L}])/u,
];

/** References to something outside the sentence. */
const pointing =
  /\b(?:the (?:former|latter)|aforementioned|as follows|the following(?! (?:year|day))|listed below|see (?:below|above|also|the|our)|(?:shown|described|mentioned|listed|given|discussed|defined|noted|presented) (?:above|below|earlier|later|here|next|in (?:the|this|our|section|table|figure|appendix))|above-mentioned|(?:figure|fig\.|table|section|sec\.|appendix|equation|eq\.|chapter|algorithm|listing|step|tasks?) \(?(?:\d|[b-z]\b)|(?:this|the current|the present) (?:paper|work|study|article|section|document|page|chapter|guide|post|tutorial|readme|report|repo|repository|project|notebook|file|folder|directory|package|library|thesis|survey|note|release|version)|these notebooks|our (?:paper|code|repo|repository|website|blog|docs|documentation|demo|discord|team|community|work))\b|(?:如下|见(?:图|表|上|下)|上文|下文|本文|本论文|本研究|本节|本项目|该(?:方法|论文|项目|文))|以下の|次の(?:よう|図|表)|本(?:論文|研究|稿|節)|다음과 같|본 (?:논문|연구)|아래와|위와 같|(?:в|на) (?:этой|данной|настоящей) (?:работе|статье|главе)|ниже|выше|wie folgt|siehe (?:unten|oben|abbildung|tabelle)|in dieser (?:arbeit|studie)|ci-dessous|ci-dessus|cet article|a continuación|en este (?:artículo|trabajo)/u;

/** "While this problem has been studied …", "Detecting such errors …": what is meant stood in the sentence before. */
const earlyThis =
  /^(?:\S+ ){1,6}(?:such|these|those) (?!as\b|that\b|who\b|which\b|of\b)\p{L}|^(?:\S+ ){1,6}this \p{L}|\bthis (?:issue|problem|gap|challenge|limitation|phenomenon|vulnerability|end|purpose|reason|setting|task)\b|\bthe other (?:one|two|three|four|ones)\b|^[^,]{2,140}, (?:it|they) (?!is (?:\p{L}+ )?(?:to|that)\b)/u;

function leansOnNeighbours(lower: string): boolean {
  return backwardStart.some((pattern) => pattern.test(lower)) || pointing.test(lower) || earlyThis.test(lower);
}

// ------------------------------------------------------------------------------------------------------------ boilerplate

/** Licences, invitations, instructions, marketing, housekeeping: true, and of no use to a report. */
const boilerplate = new RegExp(
  [
    String.raw`\b(?:licen[cs]ed? (?:under|terms|agreement)|under the (?:\w+[- ]){0,4}licen[cs]e|mit licen[cs]e|apache(?: licen[cs]e)?[, ]+(?:version )?2|copyright|all rights reserved|trademarks?|terms of (?:use|service)|privacy policy|as is)\b`,
    String.raw`\b(?:pull requests?|contribut(?:e|ing) (?:to|guide)|open an issue|file an issue|issue tracker|feel free|please|contributions?(?: are)? welcome|via contributing|let(?:'|’)s|our (?:goal|mission|vision|aim)|hosted (?:api|service|version)|star (?:us|the|this|it|history)|give (?:us|it) a star|starring|follow (?:us|me)|sign up|subscribe|newsletter|discord|slack|join (?:us|our|the)|contact us|reach out|sponsor|donat|buy me|acknowledge?ments?|we thank|we (?:would like|are grateful)|thank you|thanks to|if you (?:find|use|like|want|need|have|are|would|prefer|encounter|run)|cite (?:us|our|this|the)|bibtex|stay tuned|coming soon|work in progress|under construction|roadmap|changelog|release notes|we(?:'re| are) (?:hiring|excited|happy|thrilled|pleased))\b`,
    String.raw`\b(?:click|tap|scroll|download|clone|git clone|pip install|npm (?:i|install|run)|docker (?:run|pull|compose)|brew install|cd |curl |conda |poetry |yarn |pnpm |uv (?:pip|sync|run))\b`,
    String.raw`\b(?:(?:code|data|models?|datasets?|checkpoints?|weights|materials?|demo|source|videos?|results|prompts|scripts)(?:,? (?:and|or) \w+)* (?:is|are|will be|can be|has been|have been) (?:\w+ )?(?:available|released|found|open[- ]sourced|accessed|public|published|provided))\b|\bavailable (?:at|on|here|from|via) (?:https?|github|our|the following)|\bproject page\b|\b(?:released|published|made) (?:\w+ ){0,3}(?:publicly|available)\b`,
    String.raw`\b(?:blazing(?:ly)?|awesome|amazing|revolutioni[sz]\w+|game[- ]chang\w+|world[- ]class|cutting[- ]edge|next[- ]generation|best[- ]in[- ]class|unleash|supercharge|effortless(?:ly)?|seamless(?:ly)?|magical(?:ly)?|delightful|stunning|unparalleled|lightning[- ]fast|enterprise[- ]grade|production[- ]ready|batteries[- ]included|one[- ]click|plug[- ]and[- ]play|out of the box|super (?:fast|easy|simple)|insanely|hassle|unlock(?:s|ing)? the|love(?:d)? by|trusted by|the (?:best|fastest|easiest|simplest|most (?:powerful|advanced|complete|popular|loved)) (?:\p{L}+ ){0,3}(?:on the market|in the world|out there|available|ever|engine|platform|way to)|must[- ]have|say goodbye|look no further|with ease|in (?:seconds|minutes) flat)\b`,
    String.raw`\b(?:table of contents|back to top|quick ?start|getting started|read (?:more|the docs)|learn more|for more (?:information|details|info)|for (?:further )?details|documentation (?:is|can|site)|check (?:it )?out|try it|get started|watch the|screenshots?|youtube|notebook (?:is|that|covers)|tutorials?)\b`,
    String.raw`^(?:to (?:run|install|use|start|build|enable|deploy|get|try|set|configure|reproduce|train|test|make)|begin|store|deploy|install|run|use|add|set|make|create|open|copy|paste|choose|select|start|stop|build|configure|enable|disable|import|export|check|ensure|replace|update|upgrade|edit|change|save|load|call|pass|type|press|go to|navigate|visit|refer|consider|keep|let|try|remember|watch|read|write|put|get|give|take|turn|follow|specify|define|provide|wait|avoid|do not|don't|never|always|be sure|make sure|want to|looking for|built (?:with|by|on|for)|made (?:with|by)|powered by|requires?|supports?|tested (?:on|with)|based on|designed (?:for|to)|available (?:on|in|for)|todo|fixme|warning|tip|caution|important|disclaimer|status|author|authors|date|version|default|example|output|input|usage|requirements|prerequisites|features?)\b(?! \p{L}+ (?:is|are|was|were|can|may|has|have)\b)`,
    // Openings that say nothing.
    String.raw`^(?:with the (?:rapid|increasing|growing|recent|widespread|advent|rise|emergence|rapidly)|in recent years|over the (?:past|last) (?:few|\w+ )?(?:years|decades?))\b`,
    '版权|许可证|许可协议|欢迎(?:贡献|提交|加入|关注|使用)|点击|扫码|公众号|加群|微信群|安装依赖|快速开始|如果(?:您|你)|请(?:先|参考|查看|参阅|确保|使用|注意)|致谢|感谢',
    'ライセンス|著作権|クリック|インストールして|ください|ご覧|お問い合わせ|謝辞',
    '라이선스|저작권|클릭|설치하|하세요|해 주세요|참고하|감사',
    'лицензи|авторские права|нажмите|установите|подпис(?:ывайтесь|аться)|присоединяйтесь|благодар',
    'urheberrecht|lizenziert|klicken|installieren sie|abonnieren|danksagung',
    "droits d'auteur|sous licence|cliquez|installez|abonnez|remerciements",
    'derechos reservados|bajo licencia|haga clic|haz clic|instala|suscr[ií]b|agradecimientos',
  ].join('|'),
  'u',
);

/** Notes of meetings and changes: nobody's but the user's own are worth a quote, and those only where nothing else speaks. */
const minutes =
  /^(?:fixed|added|removed|changed|deprecated|bumped?|merged)\b|\b(?:action items?|attendees|next week|next meeting|by friday|tomorrow|yesterday|last week|present:)\b/u;
export const minutesQuality = 0.3;

/** How to set a project up, which fills the pages of projects. */
const manual =
  /^[`./~]|[\w-]\/[\w./-]+\.[a-z]{1,5}\b|\.(?:gguf|md|json|py|sh|ya?ml|toml|ts|js|rs|cpp)\b|\s--\w|\binstall(?:s|ed|ing|ation)?\b|\b(?:api key|access token|environment variable|config(?:uration)? file|command line flag|port \d+|localhost|gpu driver|python \d)\b|^(?:just|simply|process|ingest|connect|explore|discover|monitor|manage|view|convert|generate|extract|integrate|bring|get|turn|point|drop|plug|swap|pick|push|pull|fork|customi[sz]e|extend|combine|leverage|harness|transform|accelerate|automate|simplify|streamline)\b(?! (?:is|are|was|were|has|have|can|may|of)\b)|\b(?:coming|planned|wip|beta|alpha|experimental) (?:feature|support|release)s?\b/u;

/** Forms that are quoted only when nothing better is there. */
const weaknesses: readonly (readonly [RegExp, number])[] = [
  [/^in (?:this|our) (?:paper|work|study)|\bin this (?:paper|work|study),? we\b/iu, 0.4],
  [/^(?:we|our|i|my)\b(?! (?:propose|introduce|present) )/iu, 0.6],
  [/\b(?:we|our|us)\b/iu, 0.78],
  [/\b(?:I|I'm|I've|my|me)\b/u, 0.3],
  [/\b(?:you|your|you're|let's)\b/iu, 0.6],
  [
    /\b(?:our|the proposed|the presented) (?:method|approach|framework|model|system|pipeline|experiments?|results?|analysis|findings|evaluations?|design|solution|algorithm)\b/iu,
    0.7,
  ],
  [
    /\b(?:novel|state-of-the-art|powerful|robust|comprehensive|easy|simple|flexible|modern|intuitive|superior|significant(?:ly)?|remarkabl[ey]|unprecedented)\b/iu,
    0.88,
  ],
  [
    /\b(?:this|these|those|such) (?:\p{L}+ )?(?:approach|method|problem|problems|issue|issues|challenges?|gap|limitations?|end|setting|context|framework|design|models?|systems?|process|way|case|cases)\b/iu,
    0.6,
  ],
  [
    /^(?:recent (?:advances|years|progress|developments?|works?|studies)|the (?:rapid|growing|increasing|recent) )/iu,
    0.35,
  ],
  [/^\p{L}+ly, /u, 0.6],
  [
    /\b(?:the only|the first|unique|unlike|leading|true|truly|revolution\p{L}*|push(?:ing)? (?:forward|the boundaries))\b/iu,
    0.75,
  ],
  [/^(?:\S+ ){1,7}then\b/u, 0.6],
  [/^experiments were\b/iu, 0.6],
  [/\b(?:etc\.|and so on|and so forth)/iu, 0.7],
  [/^(?:as|while|although|though|since|because|with the|despite|given)\b/iu, 0.92],
  [/\b(?:currently|now|today|recently|soon|nowadays)\b/iu, 0.9],
  [/;|:/u, 0.92],
  [/\b(?:e\.g\.|i\.e\.)/u, 0.92],
  [/\(.{40,}\)/u, 0.88],
  [/\\[%&]/u, 0.97],
  [/`/u, 0.85],
  [/\b\p{L}[\p{L}\p{N}]*_\p{L}/u, 0.7],
];

function isEnglish(sentence: string): boolean {
  if (
    /^[\x20-\x7e–—’“”]+$/.test(sentence) &&
    !/\b(?:der|die|das|und|ist|le|les|des|une|el|los|las|una|het|een|il|della|och|nie|jest|dan|yang)\b/i.test(sentence)
  )
    return true;
  return /\b(?:the|of|and|to|in|for|with|that|is|are|on|by|as|from)\b/iu.test(sentence);
}
