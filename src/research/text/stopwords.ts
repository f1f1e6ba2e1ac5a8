/**
 * Function words that carry no subject, by language, as {@link tokenize} gives them (lower case). Short lists on purpose:
 * they also tell languages apart, so a word stands in each language that uses it.
 */
const lists = {
  en: `a about above after again against all also am among an and any are as at be because been before being below between both but by can could
    did do does doing done down during each either else ever every few for from further get gets had has have having he her here hers him his how i if in
    into is it its itself just let like many may me might more most much must my near neither no nor not of off on once one only or other our
    ours out over own per please rather same shall she should since so some still such than that the their theirs them then there these they this
    those through thus to too toward towards under until up upon us very via was we were what when where whether which while who whom whose why will
    with within without would yet you your yours`,
  de: `aber alle als also am an auch auf aus bei bin bis bitte da damit dann das dass dem den denn der des dessen die dies diese dieser dieses
    doch du durch ein eine einem einen einer eines er es für gegen gibt habe haben hat hatte ich ihm ihn ihr ihre im in ist ja kann kein keine können man
    mehr mein mit nach nicht noch nur ob oder ohne sehr sein seine sich sie sind so über um und uns unter vom von vor war waren warum was
    welche welcher welches wenn wer werden wie wir wird wo wurde wurden zu zum zur zwischen`,
  fr: `à afin ainsi alors après au aucun aussi autre aux avant avec avoir c ce cela ces cet cette ceux chaque comme comment d dans de des donc dont du elle
    elles en encore entre est et être eu eux fait il ils j je l la le les leur leurs lui mais me même mes moins mon n ne nos notre nous on
    ont ou où par pas pendant peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui s sa sans se ses si son sont
    sous sur ta te tes toi ton tous tout toute toutes très tu un une vers vos votre vous`,
  es: `al algo algunos ante antes así aunque bajo bien cada como cómo con contra cual cuál cuáles cuando cuándo de del desde donde dónde dos el él ella
    ellas ellos en entre era es esa ese eso esta está están este esto estos fue ha han hasta hay la las le les lo los más me mi muy
    nada ni no nos o otra otro para pero poco por porque puede pueden qué que quien quién se según ser si sí sin sobre son su sus también
    tan tanto te tiene tienen todo todos tu un una unas uno unos y ya yo`,
  pt: `a ao aos as até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre era essa esse esta está este eu foi foram há
    isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós num numa o os ou para pela pelas pelo pelos por
    porque quais qual quando que quem são se seja sem ser seu seus sobre sua suas também tem tém têm um uma umas uns você vocês`,
  it: `a ad agli al alla alle allo anche c che chi ci come con contro cosa cui da dal dalla dalle dei del dell della delle dello di dove e è ed era
    fra gli ha hanno i il in io la le lei li lo loro ma mi mio ne nei nel nella nelle no noi non nostro o per perché più può quale quali
    quando quanto quella quello questa queste questi questo se sei si sia sono su sua sue sui sul sulla suo tra tu tutti tutto un una uno`,
  nl: `aan al als bij dan dat de den der deze die dit door dus een en er het hij hoe hun ik in is ja je kan maar meer met mijn naar niet nog
    of om onder ons ook op over te tot uit van veel voor waar waarom wanneer wat we wel welke werd wie wij worden wordt zich zij zijn zo`,
  pl: `a aby albo ale bardzo by być czy dla do gdy gdzie go i ich ile im jak jaka jakie jako jego jej jest już kiedy kto która które który lub ma
    mnie może na nad nie niż o od oraz po pod przez przy są się ta tak także tego tej ten to tu tylko w we wiele więc z za ze że`,
  ru: `а без более бы был была были было быть в вам вас весь во вот все всего вы где да даже для до его ее её если есть ещё же за и из или им
    их к как какая какие каких какой ко когда которая которые который кто ли либо между мне может можно мой мы на над надо наш не него
    нет ни них но о об однако он она они оно от очень по под после при про с со так также там то того тоже только том ты у уже
    чем что чтобы эта эти это этого этот я`,
  tr: `acaba ama ancak bir bu çok da daha de değil diğer en gibi hangi hangileri her için ile ise kadar ki mı mi mu mü nasıl ne neden nedir nelerdir o olan olarak
    oldu sonra şu tüm var ve veya ya yok`,
  sv: `alla att av bara blev bli de dem den denna det detta du där efter ej eller en ett finns från för genom ha han har hur här i inte jag kan man
    med mellan men mer mot mycket ni när och om på sedan sig sin ska som så till under upp ut vad var vara vi vid vilka vilken är över`,
  vi: `bị bởi các cái cho có của cũng đã đang để được gì hay không khi là làm lại mà một này nào như nhưng những ở ra rằng rất sao sẽ tại thế thì
    trong trên từ và vào về với`,
  id: `ada adalah agar akan apa apakah atau bagaimana bagi bahwa bisa dalam dan dapat dari dengan di ini itu jika juga karena ke kepada mengapa
    oleh pada saja saya sebagai secara tentang telah tersebut tidak untuk yang`,
  ar: `أن إن إلى إذا أو أي أيضا التي الذي الذين الى ان او اي بعد بين ثم حتى حول حيث على عليه عن عند غير فى في فيه قبل قد كان كانت كل كما كيف لا
    لم لماذا له لها ليس ما ماذا متى مثل مع من منذ منها نحو هذا هذه هل هم هنا هو هي و ولا وهو وهي يا يكون`,
} as const;

export type StopwordLanguage = keyof typeof lists;

/** Function words of languages that are written with spaces. */
export const stopwords: Readonly<Record<StopwordLanguage, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(lists).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
) as unknown as Record<StopwordLanguage, ReadonlySet<string>>;

/** Grammar of Chinese, Japanese and Korean as the tokeniser cuts it (single characters and pairs), and question words. */
export const cjkStopwords: ReadonlySet<string> = new Set(
  `的 了 和 是 在 有 与 及 或 也 都 而 为 被 把 对 从 到 以 于 其 之 这 那 个 吗 呢 吧 啊 什么 么是 哪些 有哪 些主 如何 怎么 怎样 为什 请问 一个 这个 那个 我们 他们 它们 可以
   の に は を が と で も へ や から まで です ます した する して ない ある いる この その あの どの 何で とは なに どう こと もの ため よう について つい いて
   은 는 이 가 을 를 의 에 와 과 도 로 으로 에서 에게 하는 하다 이다 입니 니다 있는 있다 무엇 엇인 인가 가요 어떤 어떻 떻게 그리 리고 또는`.split(
    /\s+/,
  ),
);

/** True for a token that carries no subject in any of the common languages when the language is not known. */
export function isStopword(token: string, language?: string): boolean {
  if (stopwords.en.has(token)) return true;
  if (token.charCodeAt(0) > 0x2e7f) return cjkStopwords.has(token);
  return language !== undefined && language !== 'en' && (stopwords[language as StopwordLanguage]?.has(token) ?? false);
}
