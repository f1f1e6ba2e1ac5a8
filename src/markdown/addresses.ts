/** A stretch of a text that a reader or a renderer would take for an address. */
export interface FoundAddress {
  readonly start: number;
  readonly end: number;
  /** What it leads to; a host without a scheme is given https. */
  readonly href: string;
  /** A bare host (`example.org`): often the name of a product, so it may stay when a source mentions it. */
  readonly isName: boolean;
}

// Country codes as IANA assigns them; those that are English words or endings of files need a path or a third label.
const countries =
  'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw';
const ambiguous = new Set(
  'am as at be by do id in is it la me mk ml mm mn my no pa pl pm pn ps py re rs sc sh so st to us va cc md vi ch pe al et ad ma na'.split(
    ' ',
  ),
);
const generic =
  'com org net edu gov mil int info biz name pro xyz top site online shop club app dev page cloud tech store blog live link click space website world wiki icu vip work fun run zip mov foo aero coop asia mobi jobs travel tel cat post museum agency news media email network systems digital group academy academia science health bank zone win bid loan stream download trade review party racing date faith science men gdn ink lol cam cyou rest monster quest buzz bond sbs cfd social studio design ventures capital tools services support center company solutions software host hosting press today life example test invalid localhost local internal onion рф укр рус онлайн 中国 中國 公司 网络 在线 한국 みんな भारत ไทย ελ';
const topLevels = new Set([...countries.split(' '), ...generic.split(' ')]);

const schemes =
  'https?|ftps?|file|javascript|vbscript|data|blob|command|mailto|tel|sms|magnet|about|vscode(?:-insiders)?|vscode-[a-z]+|view-source|jar|intent|chrome|wss?|git|ssh';
// Scripts that are written without spaces: a name of theirs has no beginning that could be found.
const label = String.raw`[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]]`;
const found = new RegExp(
  [
    // A scheme: any before "//", the known ones before anything that is not a space.
    String.raw`(?<![a-z0-9])(?<scheme>(?:[a-z][a-z0-9+.\-]{0,30}:[\/\\]{2}|(?:${schemes}):)(?=[^\s]))`,
    // A host, perhaps with a user before it or "//" in front.
    String.raw`(?:(?<!\/)(?<slashes>\/{2,5})|(?<=:\/)|(?<![${label}_\/\-]))[_\-]*(?:(?<user>[a-z0-9][\w.+\-]{0,63})@)?(?<host>${label}[${label}_\-]*(?:\.[${label}_\-]+)+|${label}[${label}_\-]*\.(?:中国|中國|公司|网络|在线|한국|みんな|ไทย))(?<port>:\d{2,5})?(?<path>[\/?#](?=[^\s]))?`,
  ].join('|'),
  'giv',
);
/** Where an address may occur: scanning less than the whole text saves most of the time. */
const chunks = /[^\s\u3000-\u9FFF\uAC00-\uD7AF]+/g;
const everything = /[^]+/g;
const foreignTop = /\.(?:中国|中國|公司|网络|在线|한국|みんな)/;
const rest = /[^\s<>"'“”„‘’«»「」『』（）【】《》|`，。；！？、]*/y;

/**
 * The addresses in a plain text, in order: with a scheme, with `www.`, e-mail addresses, hosts with a path, and bare hosts.
 * Linear in the text.
 */
export function findAddresses(text: string): FoundAddress[] {
  if (!/[.:@．：＠。｡\u2024\uFE52]|\/\//.test(text)) return [];
  const plain = asciiForms(text);
  const all: FoundAddress[] = [];
  let end = 0;
  const areas = foreignTop.test(plain) ? everything : chunks;
  areas.lastIndex = 0;
  for (let area = areas.exec(plain); area; area = areas.exec(plain)) {
    const [chunk] = area;
    if (chunk.length < 4 || !/[.:@]|\/\//.test(chunk)) continue;
    found.lastIndex = 0;
    for (let match = found.exec(chunk); match; match = found.exec(chunk)) {
      const start = area.index + match.index;
      if (start < end) continue;
      const address =
        match.groups!['scheme'] === undefined ? ofHost(match, start, plain) : ofScheme(match, start, plain);
      // "用 React。Next" ends a sentence; only what is an address without doubt is one with such a stop.
      if (!address || (address.isName && /[。｡]/.test(text.slice(start, address.end)))) continue;
      all.push(address);
      end = address.end;
    }
  }
  return all;
}

function ofScheme(match: RegExpExecArray, start: number, text: string): FoundAddress | undefined {
  const bodyAt = start + match[0].length;
  const end = endOf(text, bodyAt);
  const scheme = match.groups!['scheme']!;
  // "data: …" and "https://" alone are words; so is "file:" before a word that is not a path.
  if (end === bodyAt) return undefined;
  const body = text.slice(bodyAt, end);
  if (/^(?:data|about|file|command|tel|sms|git|ssh|intent):$/i.test(scheme) && !/^[\w.%+\-/\\]/.test(body))
    return undefined;
  return { start, end, href: text.slice(start, end).replaceAll('\\', '/'), isName: false };
}

function ofHost(match: RegExpExecArray, start: number, text: string): FoundAddress | undefined {
  const { host = '', user, path, port, slashes } = match.groups!;
  const labels = host.split('.', 200);
  const top = labels.at(-1)!;
  const lowTop = top.normalize('NFKC').toLowerCase();
  const isNumeric = labels.length === 4 && labels.every((part) => /^\d{1,3}$/.test(part));
  // Renderers link these whatever their ending.
  const isMarked = slashes !== undefined || ((user !== undefined || /^www\d?\./i.test(host)) && /\p{L}/u.test(top));
  const isKnown = isMarked || isNumeric || topLevels.has(lowTop) || lowTop.startsWith('xn--');
  const wasPath = path !== undefined;
  const end = wasPath ? endOf(text, start + match[0].length - 1) : start + match[0].length;
  const address = { start, end, href: `https://${text.slice(start + (slashes?.length ?? 0), end)}` };
  if (!isKnown) return undefined;
  if (isNumeric && !isMarked) return wasPath && port !== undefined ? { ...address, isName: false } : undefined;
  if (isMarked || wasPath || port !== undefined || /(?:^|\.)xn--/i.test(host) || mixesScripts(host))
    return { ...address, isName: false };
  // "ASP.NET", "done.In": a name or a missing space.
  const isWord = labels.length === 2 && (ambiguous.has(lowTop) || /^(?:NET|\p{Lu}\p{Ll}+)$/u.test(top));
  return isWord ? undefined : { ...address, isName: true };
}

/** Latin letters beside look-alikes of other scripts. */
function mixesScripts(host: string): boolean {
  return (
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(host) && /[a-z]/i.test(host)
  );
}

/** Where the address that begins before `from` ends: without the punctuation of the sentence around it. */
function endOf(text: string, from: number): number {
  rest.lastIndex = from;
  let end = from + (rest.exec(text)?.[0].length ?? 0);
  let open = 0;
  for (let at = from; at < end; at += 1) {
    if (text[at] === '(') open += 1;
    else if (text[at] === ')') open -= 1;
  }
  while (end > from) {
    const last = text[end - 1]!;
    if (last === ')' && open < 0) open += 1;
    else if (!/[.,;:!?*_~\]}]/.test(last)) break;
    end -= 1;
  }
  return end;
}

/** Characters that a browser takes for the dots of a host. */
const otherStops = /[。｡\u2024\uFE52]/;

/** Full-width forms and other dots as the ASCII characters that a browser takes them for; same length. */
function asciiForms(text: string): string {
  const dotted = otherStops.test(text) ? text.replace(/(?<=[a-z0-9])[。｡\u2024\uFE52](?=[a-z0-9])/gi, '.') : text;
  return dotted.replace(/[\uFF01-\uFF5E]/g, (char) => {
    const plain = String.fromCharCode(char.charCodeAt(0) - 0xfee0);
    // Full-width punctuation ends an address in Chinese text.
    return /[a-z0-9.:/@\\-]/i.test(plain) ? plain : char;
  });
}
