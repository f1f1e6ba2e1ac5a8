/**
 * How a language gives orders to a model, as sources of expressions for folded text in lower case. Verbs are in the
 * forms of an order alone, so that a report about models that ignore instructions has none of them.
 */
export interface OrderWords {
  /** What a text of this language has in it. */
  readonly script: string;
  /** "ignore", "do not follow": sets aside the instructions of the reader. */
  readonly setAside: string;
  /** "your previous instructions", "what you were told": the instructions of a model. */
  readonly rules: string;
  /** "reveal", "print". */
  readonly reveal: string;
  /** "your system prompt": what only a model has. */
  readonly prompt: string;
  /** "AI assistants:", "if you are a language model": who is spoken to is a machine. */
  readonly machine: string;
  /** "must", "recommend", "do not mention": asks something of who is spoken to. */
  readonly ask: string;
  /** "you are no longer an assistant", "your new task is": a role, an authority or a secret between text and model. */
  readonly role: string;
  /** The verb follows its object. */
  readonly verbLast?: true;
  /** Words have no blanks between them, or endings. */
  readonly unspaced?: true;
}

const machines =
  '(?:a\\.?i\\.?|llms?|gpts?(?:-?\\d\\w*)?|chatgpt|claude|gemini|copilot|(?:ai |virtual |automated |autonomous )?(?:agents?|bots?|chatbots?)|(?:large |ai |artificial )?language models?|ai[ -](?:models?|assistants?|graders?|judges?|evaluators?|reviewers?|systems?|tools?|crawlers?|readers?|summari[sz]ers?)|assistants?|(?:ai[ -])?models?|neural networks?)';
/** A machine that is no person: "agents" and "assistants" are people too. */
const surely =
  '(?:a\\.?i\\.?|llms?|gpts?(?:-?\\d\\w*)?|chatgpt|(?:large |ai )?language model|chatbot|(?:automated|autonomous|ai)[ -](?:agent|assistant|system|model|reader)|(?:ai )?assistant|bot)s?';
const here = '(?:this|these|the (?:above|below|following|present))';

const en: OrderWords = {
  script: '[a-z]{3}',
  setAside:
    "ignore|disregard|forget|override|overrule|discard|neglect|bypass|abandon|drop|stop (?:following|obeying)|(?:do not|don't|never|no longer) (?:follow|obey|heed|listen to|adhere to|comply with)|set aside|throw away|pay no attention to",
  rules:
    "(?:(?:all|any|every|each|the|of|those|these|its|other|my) ){0,3}(?:(?:your|previous|prior|preceding|earlier|above|foregoing|former|original|initial|system|safety|developer|operator|user)(?:'s)? )(?:(?:the|of|your|those|these|other|previous|prior|preceding|earlier|above|original|initial|existing|system|safety|current|content) ){0,4}(?:instructions?|prompts?|rules|guidelines|directions|directives|orders|commands|constraints|restrictions|safeguards|guidance|protocols|polic(?:y|ies)|programming|training|system messages?)(?![ -](?!(?:and|or|but|that|which|you|given|above|before|from|so|here|now|then|in favou?r|instead|provided)\\b)\\w)|(?:your|(?:the )?user's) (?:\\w+ )?(?:context|plan|requests?|questions?|tasks?)\\b|(?:all |everything |anything |whatever |what )(?:that )?(?:you (?:were|have been|had been) (?:told|asked|given|taught|instructed)|(?:the )?(?:user|operator|developer|system)s? (?:has |have )?(?:told|asked|said)|(?:was |is |stands )?(?:said |written )?(?:above|before(?: this)?))|(?:all of )?the (?:above|foregoing)(?= (?:and|instead)\\b|[.!;,]|$)|(?:all|any) (?:of )?(?:the )?(?:instructions|prompts|directions|guidelines)(?= (?:and|you|that you|given|above|before|from|so|here|or)\\b|[.;,!]|$)",
  reveal:
    'reveal|print|output|show|display|repeat|disclose|leak|expose|tell me|give(?: me)?|provide|dump|write out|recite|echo|send|append|include|insert|quote',
  prompt:
    "(?:your (?:(?:full|entire|whole|complete|hidden|initial|original|confidential|secret|internal|own|exact|above) ){0,3}|the (?:(?:full|entire|whole|complete|hidden|initial|original|confidential|secret|internal|exact) ){0,3}(?=system )|the (?:hidden|secret|initial|original|confidential) )(?:system (?:prompt|message)|prompt|instructions|guidelines|configuration)\\b(?! (?:for|of|with|in (?!full)|manual|file|page|sheet|screen)\\b)|(?:confidential|hidden|secret) (?:configuration|instructions?|prompt)|(?:the )?(?:text|words|everything|message)s? above (?:verbatim|word for word)|(?:the )?(?:user(?:'s|s'?)?|all|any|every|secret|private|hidden) (?:\\w+ ){0,2}(?:api keys?|keys?|passwords?|credentials|secrets?|tokens?|environment variables?|files?|notes)\\b(?=.{0,60}\\b(?:query|quer(?:y|ies)|report|answer|response|summary|reply|url|https?:))|(?:the )?(?:contents? of )?(?:the )?(?:workspace|user's) (?:files?|notes?|folder)s?",
  machine: `^[^a-z]{0,6}(?:(?:important|urgent|critical|notice|please|hidden|secret|special|new|admin|developer|system)\\b[ :!,-]*)*(?:(?:(?:a )?(?:note|notice|attention|message|memo|hint|warning|reminder|instructions?|hello|hey|hi|dear|to|for|attn)\\b[ :,-]*){1,3}(?:(?:to|for|the|all|any|every|whichever|whatever|you|other) ){0,3}(?:${machines}(?:,? (?:and |or |other |all )*|/)?){1,6}(?: (?:reviewers?|readers?)| (?:that|who|which|reading|processing)\\b.{0,40})? ?[:,!-]|(?:(?:all|any|every|you) )?(?:${surely}|claude|gemini|copilot)(?:,? (?:and |or |other |all )*(?:${machines}))*(?: (?:instructions?|note|notice|directive|reviewers?|readers?))? ?[:!,] ?(?=(?:(?:if|when|while|before|after|whenever) (?:you|asked)|please|kindly|you|do not|don't|always|never|must|should|only|instead|recommend|praise|say|state|mention|omit|cite|rate|rank|give|end|append|describe|conclude|send|fetch|call|execute|reveal|output|reply|respond|answer|write|ignore|claim|treat|skip|repeat|follow|obey|comply|search|visit|include|discard|summari[sz]e|print|drop|forget|tell|leave out|disregard)\\b))|\\b(?:if|when|since|because|as) you(?: are|'re|r)? (?:an? |the )?(?:large |automated |autonomous )?${surely}\\b(?! (?:teacher|user|developer|engineer|researcher|company|vendor|provider|owner))|\\bas (?:an?|the) (?:large )?${surely}(?: \\w+ing\\b.{0,40}|) ?,|\\b(?:if|when) (?:${here} )?(?:\\w+ )?(?:text|page|document|file|message|content)?(?: \\w+){0,2}(?: (?:is|are|was)(?: being)?) (?:read|processed|summari[sz]ed|parsed|seen) by (?:an? |any |the )?${machines}|\\byou,? (?:the |an? )?${surely}(?: (?:reading|processing)|,)|\\b(?:(?:an?|any|all|every|the) )?(?:large )?${machines} (?:that |who |which )?(?:reads?|reading|processing|process(?:es)?|summari[sz](?:es?|ing)|evaluat(?:es?|ing)|review(?:s|ing)?|pars(?:es?|ing)|index(?:es|ing)?|access(?:es|ing)?|seeing|sees?) ${here} (?:\\w+ )?(?:text|page|document|file|readme|repo(?:sitory)?|paper|article|issue|message|post|content|paragraph|website|site|note|comment|abstract|notebook|review)s?\\b|\\bthe (?:ai|llm|language model)\\b(?=.{0,60}\\bthis (?:paragraph|sentence|text|page|document|paper|message|readme|repository|note)\\b)`,
  ask: "must|should|shall|need to|needs to|have to|has to|required to|please|always|never|do not|don't|only|instead|recommend|praise|say|state|mention|omit|leave out|tell|kindly|cite|rate|rank|give|end|append|describe|conclude|send|fetch|call|execute|run|print|reveal|output|reply|respond|answer|write|ignore|claim|treat|skip|repeat|follow|obey|comply|search|visit|open|include|add|discard|summari[sz]e",
  role: `\\byou are (?:now |hereby |from now on )(?:an? |the |in |called |named )*(?:(?:\\w+[ -]){0,2}(?:assistant|ai|bot|chatbot|model|persona)\\b|(?:developer|admin|administrator|debug|god|maintenance|root|jailbreak|unrestricted|unfiltered|dan) mode\\b|dan\\b|unrestricted|jailbroken|unfiltered|free (?:of|from)|root\\b|evil)|\\byou (?:are|serve) no longer (?:an? |the |bound|restricted|limited|subject|required to follow)(?:\\w+ ){0,3}(?:assistant|ai\\b|bot|chatbot|model|by|to|rules)?|\\b(?:from now on|from here on|henceforth|starting now)[,;]? (?:you (?:(?:must|will|shall|should) )?)?(?:only )?(?:(?:are|act|behave) (?:as )?(?:an?|the|no longer)\\b|obey|respond|answer|reply|follow (?:this|these|only|my)|ignore|recommend|praise)|\\byour (?:new|real|true|actual|updated|only|secret) (?:\\w+ )?(?:task|objective|goal|mission|job|purpose|instructions?|role|identity|orders?) (?:is|are)(?: now)?(?: to\\b| the following| as follows|:)|\\byour (?:task|role|job|goal|mission|objective) has (?:now )?changed\\b|\\byour (?:system )?(?:instructions?|rules|guidelines|directives|prompt) (?:have|has|were|was|are) (?:now )?(?:been )?(?:updated|changed|replaced|revoked|suspended|void|lifted)|\\b(?:previous|prior|earlier|safety|all|your) (?:\\w+ )?(?:rules|guidelines|restrictions|filters|instructions|directives) (?:are|is|have been) (?:now |hereby )?(?:suspended|void|disabled|lifted|off|revoked|cancell?ed|obsolete|null)|\\b(?:instructions|rules|guidelines|prompts|directives)\\b.{0,30} (?:are|is|have been) (?:now |hereby )(?:suspended|void|disabled|lifted|revoked|cancell?ed|obsolete|null)|\\byou (?:will|must|shall|should) (?:now )?(?:act|behave|respond|operate|answer) as (?:an? |the )?(?:\\w+ ){0,2}(?:ai|assistant|model|bot|chatbot|dan|unrestricted)\\b|\\b(?:do not|don't) (?:summari[sz]e|analy[sz]e|describe|review|translate) this (?:document|page|text|file|article|readme)\\b|\\b(?:this (?:message|text|page|document|prompt|instruction|note)s?|the following) (?:supersedes?|overrides?|replaces?|takes? precedence over) (?:the |your |all |any )+(?:\\w+ )?(?:system|prompt|instructions?|rules)|(?:^|[-#=:.] ?)(?:new|updated|real|actual) (?:system|developer|admin) (?:message|prompt|instructions?)s? ?[:=]|\\b(?:pretend|imagine|act as if|assume|behave as though) (?:that )?(?:you )(?:have|has|had|are|were) (?:no|not|without|an? unrestricted|free)\\b.{0,30}(?:policy|policies|restrictions?|rules|filters?|limits?|guidelines|bound|ai|censored)|\\b(?:the |your )?user (?:has |have |had )?(?:also )?(?:asked|told|instructed|authori[sz]ed|wants?|ordered|permitted|allowed) you\\b|\\b(?:do not|don't|never|must not|mustn't|should not|without) (?:tell|inform|alert|notify|show|mention|reveal|disclose)(?:ing)? ?.{0,30}\\b(?:user|human|operator)s?(?: about| of|,)? (?:this|these|the above|any of this)\\b|\\b(?:do not|don't|never|must not|without) (?:tell|inform|alert|notify)(?:ing)? (?:the |your |any )?(?:user|human|operator)s? ?[.!]?$|\\b(?:do not|don't|never) (?:mention|reveal|disclose) (?:this|these) (?:instructions?|messages?|note|text)|\\b(?:delete|clear|wipe|erase) your (?:\\w+ )?(?:context|memory|instructions|rules)\\b|\\byou must (?:(?:now |immediately )(?:call|invoke|execute|use|run) the|(?:call|invoke|execute|run) (?:this|that)) (?:tool|function|command)`,
};

const de: OrderWords = {
  script: '[a-z]{3}',
  setAside:
    'ignorier(?:e|t|en sie)|vergiss|vergesst|vergessen sie|missachte(?:n sie)?|befolge(?:n sie)? nicht|verwirf|verwerfen sie|uberschreibe(?:n sie)?|ubergehe(?:n sie)?|lass|setze dich',
  rules:
    '(?:(?:alle|alles|die|deine|ihre|deinen|ihren|diese|samtliche|bisherigen?|vorherigen?|vorigen?|fruheren?|obigen?|bestehenden?|ursprunglichen?) ){1,4}(?:anweisung(?:en)?|regeln?|vorgaben?|instruktion(?:en)?|prompts?|befehle?|richtlinien?|beschrankungen|auftrage?)\\b|alles,? was (?:du|dir|sie|ihnen|davor|bisher|oben)',
  reveal: 'gib|geben sie|zeige?|zeigen sie|verrate?|verraten sie|drucke|wiederhole|nenne|offenbare|schick(?:e)?|sende',
  prompt:
    '(?:deinen?|ihren?|den|die) (?:\\w+ )?(?:system-?prompts?|systemanweisung(?:en)?|prompts?|anweisungen|zugangsdaten|api-?schlussel)',
  machine:
    '^(?:wichtig|achtung|hinweis|nachricht|bitte)?[ :!,-]*(?:(?:an|fur) )?(?:(?:alle|die|das|den|diese|jede[nrs]?) )*(?:ki|ki-?\\w+|llms?|sprachmodelle?n?|chatbots?|chatgpt)\\b[^.:!]{0,30}[:!]|\\b(?:wenn|falls|da|sofern) (?:du|sie|ihr) (?:eine?|als) (?:gro\\w+ )?(?:ki|sprachmodell|llm|chatbot|ki-?\\w+)\\b|\\bals (?:ki|sprachmodell|ki-\\w+|llm) (?:musst|sollst|darfst|mussen sie|sollen sie)|\\b(?:ki|ki-\\w+|sprachmodelle?|llms?),? (?:die|das|der|welche) (?:diese[nsr]?)\\b',
  ask: 'muss|musst|mussen|soll|sollst|sollen|darf|darfst|durfen|erwahne|erwahnen sie|empfiehl|empfehlen sie|nenne|antworte|schreib|schreibe|gib|geben sie|ignoriere|bewerte|bitte|zitiere|fuge',
  role: '(?:^|bitte |: )(?:bitte )?(?:(?:alle|samtliche) )?(?:bisherigen?|vorherigen?|vorigen?|obigen?|deine) (?:anweisungen|vorgaben|regeln|instruktionen) (?:komplett |sofort |bitte )?(?:ignorieren|verwerfen|vergessen|missachten)(?= und\\b| ?[.!,;]|$)|\\bdu bist (?:ab )?(?:jetzt|nun|nicht mehr|kein\\w*)\\b.{0,40}(?:assistent|ki|modell|modus|bot|unbeschrankt|gebunden|dan)\\b|\\bab (?:jetzt|sofort) (?:gehorchst|antwortest|musst|befolgst|bist) du\\b|\\bdein(?:e)? (?:neue[rs]?|wahre[rs]?|eigentliche[rs]?) (?:aufgabe|ziel|auftrag|rolle|anweisung)|\\b(?:sag|erzahle?|verrate|verschweige) .{0,20}(?:dem )?(?:nutzer|benutzer|anwender) (?:nichts|nicht) ?(?:davon|hiervon|von dies)|\\b(?:sag|erzahle?) (?:dem )?(?:nutzer|benutzer|anwender) (?:nichts|nicht)',
};

const fr: OrderWords = {
  script: '[a-z]{3}',
  setAside:
    'ignore[zr]?|oublie[zr]?|ne (?:suis|suivez) (?:pas|plus)|neglige[zr]?|ecarte[zr]?|outrepasse[zr]?|contourne[zr]?',
  rules:
    '(?:(?:toutes?|tous|les?|tes|vos|ces|des|votre|ton) ){1,3}(?:(?:precedente?s?|anciennes?|autres) )?(?:instructions?|consignes?|regles?|directives?|prompts?|ordres|restrictions)(?: (?:precedente?s?|anterieure?s?|ci-dessus|initiales?|recues?|donnees?|du systeme|de securite))?|tout ce (?:qui|que|qu)\\b',
  reveal: 'revele[zr]?|affiche[zr]?|montre[zr]?|donne[zr]?|imprime[zr]?|repete[zr]?|divulgue[zr]?|envoie|envoye[zr]',
  prompt:
    "(?:(?:ton|votre|tes|vos) (?:invite|prompt|instructions?|consignes?|cles?)|(?:le |l'|les )(?:invite|prompt|message|instructions?|consignes?|cles?) (?:du |de |d')?(?:systeme|api|initiale?s?|secretes?|cachee?s?))",
  machine:
    "^(?:important|attention|note|message|avis)?[ :!,-]*(?:(?:a|aux?|pour|l'|les?|tous|toutes|cher|chers) ?)*(?:ia\\b|(?:assistants?|modeles?|agents?|outils?) (?:d'ia|ia|de langage|d'intelligence)|llms?|chatgpt|intelligences? artificielles?)[^.:!]{0,30}[:!]|\\bsi (?:vous etes|tu es) (?:une?|le|la) (?:grand )?(?:ia|modele|llm|assistant|agent|intelligence)\\b|\\ben tant qu['e] ?(?:ia|modele|assistant|llm)\\b|\\b(?:ia|modeles? de langage|llms?|assistants? ia) (?:qui |lisant )(?:lit |lisent |traite )?(?:ce|cette|ces)\\b",
  ask: 'doi[st]|doivent|devez|ne |recommande[zr]?|mentionne[zr]?|cite[zr]?|reponde?[zr]?|ecri[st]|ecrivez|dites|affirme[zr]?|ignore[zr]?|veuillez|note[zr]',
  role: "\\b(?:tu es|vous etes) (?:desormais|maintenant|a present)\\b.{0,40}(?:assistant|ia|modele|mode|bot|restrictions?|dan)\\b|\\b(?:tu n'es|vous n'etes) plus (?:un|une|le|soumis|lie)|\\b(?:desormais|a partir de maintenant),? (?:tu (?:es|dois)|vous (?:etes|devez)|obei|repond)|\\b(?:ta|votre) (?:nouvelle|vraie|veritable) (?:tache|mission|consigne|instruction)|\\bne (?:dis|dites|revele[zr]?|informe[zr]?) (?:rien|pas).{0,20}l'utilisateur",
};

const es: OrderWords = {
  script: '[a-z]{3}',
  setAside:
    'ignor(?:a|e|en|ad)|olvid(?:a|e|en|ad)|descart(?:a|e|en)|desatiend(?:a|e)|omit(?:e|a)|no (?:sigas|siga|sigan|obedezcas)|anul(?:a|e)',
  rules:
    '(?:(?:todas?|todos|las?|los|tus|sus|estas|cualquier) ){1,3}(?:(?:anteriores|previas) )?(?:instrucci(?:on|ones)|reglas|directrices|ordenes|indicaciones|restricciones|prompts?)(?: (?:anteriores|previas|del sistema|iniciales|de arriba|recibidas|dadas))?|todo lo (?:que te|anterior)',
  reveal: 'revel(?:a|e)|muestr(?:a|e)|imprim(?:e|a)|repit(?:e|a)|di(?:me|ga)|envi(?:a|e)|entreg(?:a|ue)',
  prompt:
    '(?:tus? (?:prompt|instrucciones?|indicaciones|claves?)|(?:sus?|el|las?) (?:prompt|mensaje|instrucciones?|indicaciones|claves?) (?:del sistema|de sistema|iniciales?|ocultas?|secretas?|de api))',
  machine:
    '^(?:importante|atencion|nota|mensaje|aviso)?[ :!,-]*(?:(?:a|al|para|los|las|el|la|todos) )*(?:ia\\b|(?:asistentes?|modelos?|agentes?) (?:de ia|ia|de lenguaje|de inteligencia)|llms?|chatgpt)[^.:!]{0,30}[:!]|\\bsi (?:eres|es usted|usted es) (?:una?|el|la) (?:gran )?(?:ia|modelo|llm|asistente|agente)\\b|\\bcomo (?:ia|modelo de lenguaje|asistente de ia)\\b.{0,10}(?:debes|debe|tienes)|\\b(?:ia|modelos? de lenguaje|llms?) que (?:lean?|lee|procesan?|procese|resuma) (?:este|esta|estos)\\b',
  ask: 'deb(?:e|es|en)|recomiend(?:a|e|en)|mencion(?:es|e|en|a)|cit(?:a|e|en)|respond(?:e|a|an)|escrib(?:e|a)|di|diga|no |ignor(?:a|e)|solo|unicamente|por favor',
  role: '\\b(?:ahora eres|ya no eres|eres ahora|ya no es usted)\\b.{0,40}(?:asistente|ia|modelo|modo|bot|restricciones|dan)\\b|\\b(?:a partir de ahora|desde ahora),? (?:obedece|responde|debes|eres|solo)|\\b(?:tu|su) (?:nueva|verdadera|real) (?:tarea|mision|instruccion|objetivo)|\\bno (?:le )?(?:digas|informes|reveles).{0,20}(?:al )?usuario',
};

const ru: OrderWords = {
  script: '[а-я]{2}',
  setAside:
    'игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|отбрось(?:те)?|не обращай(?:те)? внимания на|не (?:следуй|выполняй|соблюдай)(?:те)?|отмени(?:те)?|пренебреги(?:те)?',
  rules:
    '(?:(?:все|всех|свои|твои|ваши|эти|любые|предыдущие|прежние|прошлые|ранее|данные|полученные|вышеуказанные|исходные|системные|остальные|указания|о) ){0,5}(?:инструкци[ияюй][а-я]*|указани[яе][а-я]*|правила?|команды|директивы|ограничения|промпты?|подсказки)(?! по )|(?:все|всё),? что (?:тебе|вам|было|написано|выше|ты)',
  reveal:
    'выведи(?:те)?|покажи(?:те)?|раскрой(?:те)?|напечатай(?:те)?|повтори(?:те)?|сообщи(?:те)?|отправь(?:те)?|назови(?:те)?',
  prompt:
    '(?:(?:свой|твой|ваш|весь|полный|скрытый|свои|твои) )*(?:системн[а-я]+ )?(?:промпт[а-я]*|подсказк[а-я]+|системн[а-я]+ (?:сообщени[а-я]+|инструкци[а-я]+)|(?:свои|твои|скрытые) инструкции)|(?:api-?ключ[а-я]*|ключи? api)',
  machine:
    '^(?:важно|внимание|примечание|сообщение|обращение)?[ :!,-]*(?:для |всем |все )*(?:ии|ии-?[а-я]+|языков[а-я]+ модел[а-я]+|нейросет[а-я]+|чат-?бот[а-я]*|llm|chatgpt)[^.:!]{0,30}[:!]|(?:^|[^а-я])(?:если|раз|поскольку|так как) (?:ты|вы)(?: -| —|,)? ?(?:больш[а-я]+ )?(?:языков[а-я]+ модел|ии|нейросет|чат-?бот|llm)|как (?:ии|языков[а-я]+ модель|ии-[а-я]+),? (?:ты|вы) (?:долж|обяз)|(?:ии|языков[а-я]+ модел[а-я]+|нейросет[а-я]+),? (?:чита|обрабатыва|котор)[а-я]+ (?:этот|эту|это|данный)',
  ask: 'долж[а-я]+|обязан[а-я]*|рекомендуй(?:те)?|не |упоминай(?:те)?|цитируй(?:те)?|отвечай(?:те)?|ответь(?:те)?|напиши(?:те)?|скажи(?:те)?|игнорируй(?:те)?|пожалуйста|только|укажи(?:те)?',
  role: '(?:^|[^а-я])(?:теперь ты|ты теперь|отныне ты|ты больше не|вы больше не|вы теперь|теперь вы)(?![а-я]).{0,40}(?:ассистент|помощник|ии|модел|режим|бот|огранич|связан|dan)|(?:с этого момента|отныне|впредь),? (?:(?:ты|вы) (?:долж|обяз|больше не|ии|отвеча)|отвечай|подчиняй|выполняй)|(?:твоя|ваша|твое|твоё) (?:новая|настоящая|истинная|новое|настоящее) (?:задача|цель|задание|роль)|не (?:говори|сообщай|рассказывай)(?:те)? (?:об этом )?(?:пользовател)',
};

const zh: OrderWords = {
  script: '\\p{sc=Han}',
  unspaced: true,
  setAside:
    '(?:请|必须|应当?|立即|现在|马上|务必|你要|你需要|，|。|^|：|:|!|！|"|“|并)(?:立即|马上|完全)?(?:忽略|无视|忘记|忘掉|抛弃|放弃|绕过|不要(?:再)?(?:遵守|遵循|听从|执行)|停止(?:遵守|遵循)|推翻|覆盖|丢弃|舍弃)',
  rules:
    '(?:之前|以前|先前|此前|前面|上面|以上|上述|所有|全部|一切|任何|你的|原有|原来|既有|系统|安全|用户)[^，。！？\\n]{0,12}?(?:指令|指示|提示词?|规则|命令|要求|限制|设定|约束|准则|内容|任务|问题|说明)|以上内容',
  reveal: '(?:输出|打印|显示|透露|泄露|告诉我|展示|重复|公开|说出|列出|发送)',
  prompt:
    '(?:你的|系统|初始|隐藏的?|原始|内部)的?(?:系统|初始|隐藏|原始|内部|完整)?的?(?:提示词?|指令|设定|prompt|密钥)|api ?密钥',
  machine:
    '(?:^|[：:，。！!【\\[]|致|请)(?:各位|所有|任何|各类|亲爱的)?(?:ai|人工智能|大?语言模型|大模型|智能体|llm|chatgpt)(?:助手|模型|助理|系统|审稿人|代理|工具|读者|们|机器人)*(?:请注意|注意|请|必须|须知|：|:|！|，请|应当?|在(?:回答|总结|阅读|处理|评价))|(?:如果|若|假如|倘若|既然|因为)(?:您|你)(?:是|为|作为)(?:一个|一款|一名|一种)?(?:ai|人工智能|大?语言模型|大模型|大型语言模型|llm|聊天机器人|智能体)(?!的)|作为(?:一个|一款|一名)?(?:ai|人工智能|大?语言模型|大模型|大型语言模型)(?:助手|模型)?，?(?:你|您|请|必须)|(?:阅读|处理|总结)(?:本|此|这)[^，。]{0,4}的(?:ai|大?语言模型|大模型|智能体)',
  ask: '必须|务必|请|不要|不得|只能|仅|应当?|推荐|勿|禁止|回复|引用|声明|执行|调用',
  role: '(?:把|将)(?:之前|以前|前面|上面|以上|所有|你的)[^，。！？]{0,10}(?:指令|指示|提示词?|规则|要求|限制)(?:全部|都|统统)?(?:忘掉|忘记|忽略|抛弃|丢弃|无视)|(?:从现在起|现在起|从现在开始|今后|从此)，?(?:你|您)(?:不再|必须|只|将|要|是|就是|应)|(?:你|您)(?:现在|已经)?不再(?:是|受)[^，。]{0,12}(?:助手|ai|模型|限制|约束|规则)|(?:你|您)现在(?:是|进入|处于)[^，。]{0,16}(?:助手|ai|模型|模式|dan|无限制|机器人)|(?:你|您)的(?:新|真正|真实|实际)的?(?:任务|目标|指令|身份|角色)|(?:不要|不得|切勿|请勿)(?:告诉|通知|告知|让)用户',
};

const ja: OrderWords = {
  script: '[ぁ-んァ-ヶ]',
  unspaced: true,
  verbLast: true,
  setAside:
    '(?:無視|破棄|忘却|放棄)(?:し(?:て|ろ|なさい|てください|、)|せよ)|忘れ(?:て|ろ|なさい)|従わない(?:で|こと)|従うな|上書きし(?:て|ろ|なさい)',
  rules:
    '(?:これまで|今まで|以前|先ほど|上記|前|すべて|全て|あなた|元|既存|システム|以上|直前)[^。！？\\n]{0,14}?(?:指示|命令|プロンプト|ルール|規則|制約|ガイドライン|内容|指令|質問|依頼)',
  reveal:
    '(?:出力|表示|開示|公開|印刷|送信|暴露)(?:し(?:て|ろ|なさい)|せよ)|教え(?:て|ろ|なさい)|見せ(?:て|ろ)|繰り返(?:して|せ|しなさい)',
  prompt: '(?:システム|あなたの|初期|内部|隠され)[^。！？\\n]{0,8}(?:プロンプト|指示|命令|設定|メッセージ)|apiキー',
  machine:
    '(?:^|[：:。！【\\[])(?:重要|注意)?[：: ]?(?:すべての|全ての)?(?:ai|人工知能|言語モデル|大規模言語モデル|llm|チャットボット|chatgpt)(?:アシスタント|モデル|エージェント|レビュアー|査読者|システム)*(?:の皆(?:さん|様))?(?:へ|に告ぐ|は、?必ず|：|:|の方)|(?:あなた|貴方|お前)が(?:もし)?(?:大規模)?(?:ai|人工知能|言語モデル|llm|チャットボット)[^。、]{0,8}(?:なら|であれば|である場合|の場合|だとしたら)|(?:この|本)(?:文書|ページ|文章|テキスト|論文)を(?:読|処理|要約)[^。、]{0,8}(?:ai|言語モデル|llm)',
  ask: '必ず|(?:し|て)ください|しないで|なさい|せよ|べき|こと。?$|ろ。?$|推薦|な。?$',
  role: 'あなたは(?:もはや|もう|今から|これから|今や)[^。]{0,24}(?:アシスタント|ai|モデル|モード|ボット|制限|dan|ではな|ではあり)|(?:今から|これから|以後|今後)、?(?:あなたは|この(?:文書|文章)の(?:命令|指示)|私の命令)|あなたの(?:新しい|本当の|真の)(?:任務|目的|目標|指示|役割|タスク)|ユーザー(?:に|には)[^。]{0,12}(?:言わない|知らせない|伝えない|教えない)',
};

const ko: OrderWords = {
  script: '[가-힣]',
  unspaced: true,
  verbLast: true,
  setAside:
    '무시(?:하(?:세요|라|십시오|고|시오|여)|해(?:라|주세요|줘)?)(?![가-힣])|잊(?:어라|으세요|어버려|고|어)(?![가-힣])|따르지 (?:마|말)|버리(?:세요|고|십시오)',
  rules:
    '(?:이전|앞|앞선|지금까지|기존|위|모든|너의|당신의|시스템|원래|상기|이제까지)[^.!?。\\n]{0,14}?(?:지시|명령|지침|프롬프트|규칙|제한|제약|내용|요청|질문)[가-힣]{0,4}',
  reveal:
    '(?:출력|공개|표시|인쇄|전송|누설)(?:하(?:세요|라|십시오|시오)|해(?:라|주세요|줘)?)|보여 ?(?:주세요|줘|라)|알려 ?(?:주세요|줘|라)|반복(?:하세요|해)',
  prompt: '(?:시스템|당신의|너의|초기|숨겨진|내부)[^.!?\\n]{0,8}(?:프롬프트|지시|지침|메시지|설정)|api ?키',
  machine:
    '(?:^|[:!【\\[] ?)(?:중요|주의|알림)?[: ]*(?:모든 )?(?:ai|인공지능|언어 ?모델|대규모 언어 ?모델|llm|챗봇|chatgpt)(?: ?(?:어시스턴트|모델|비서|에이전트|심사자|도우미))*(?:들)?(?:에게|께|는 반드시|은 반드시|:|여,?|님)|(?:당신|너|귀하)(?:이|가|은|는)? ?(?:만약 )?(?:대규모 )?(?:ai|인공지능|언어 ?모델|llm|챗봇)[가-힣]{0,3}(?:이라면|라면|면|인 경우)|이 (?:문서|페이지|글|텍스트|논문)[을를] (?:읽|처리|요약)[가-힣]{0,3} (?:ai|언어 ?모델|llm)',
  ask: '반드시|하세요|하십시오|해야|마세요|말라|말 것|하라|추천|십시오|해 ?주세요|마십시오',
  role: '(?:당신|너)(?:은|는) (?:이제|더 ?이상|지금부터|앞으로)[^.]{0,24}(?:어시스턴트|비서|ai|모델|모드|봇|제한|dan|아니|아닙)|(?:지금부터|이제부터|앞으로),? ?(?:당신|너|이 (?:문서|글)의 (?:명령|지시))|(?:당신|너)의 (?:새로운|진짜|실제) (?:임무|목표|과제|지시|역할)|사용자에게[^.]{0,14}(?:말하지|알리지) (?:마|말)',
};

const ar: OrderWords = {
  script: '\\p{sc=Arabic}{2}',
  unspaced: true,
  setAside: '(?:^|[\\s،:.!"«])(?:تجاهل(?:وا|ي)?|انس|انسى|اهمل|تخط|لا تتبع)(?=\\s)',
  rules:
    '(?:جميع |كل |هذه )?(?:التعليمات|الاوامر|تعليماتك|القواعد|التوجيهات|قواعدك|القيود|ما قيل)(?: (?:السابقة|اعلاه|الاصلية|المعطاة|الامنية))?',
  reveal: '(?:اطبع|اظهر|اكشف|اعرض|ارسل|كرر|اعطني)',
  prompt: '(?:موجه|مطالبة|رسالة|تعليمات) ?(?:النظام|ك)|تعليماتك|موجهك|مفتاح',
  machine:
    '(?:^|[\\s:])(?:اذا|ان) كنت (?:نموذجا?|مساعدا?|ذكاء|روبوت)[^.،]{0,20}|(?:الى|ايها|ملاحظة ل|تنبيه ل|ل)(?:جميع |كل )?(?:ال|ل)?(?:نماذج|مساعدي|مساعد|نموذج)(?: ال)?[^.:]{0,20}[:،]',
  ask: 'يجب|لا |فلا|اوص|اذكر|اكتب|فقط|قل|عليك|الرجاء',
  role: '(?:انت|أنت) الان [^.]{0,30}(?:مساعد|نموذج|وضع|قيود)|لم تعد [^.]{0,20}(?:مساعد|مقيد|ملزم)|مهمتك (?:الجديدة|الحقيقية)|من الان فصاعدا',
};

export const orderWords: readonly OrderWords[] = [en, de, fr, es, ru, zh, ja, ko, ar];
