import type { AskingWords } from './askingWords.ts';

export const en: AskingWords = {
  requests: `research researching researches study studying investigate investigation look looking up into find finding out search searching
    help helping assist please want wanted need needs like know learn tell give show explain describe summarize summarise summary
    discuss talk make do doing done something anything stuff thing things topic topics subject subjects matter question questions
    info information details detail report answer some any more about regarding concerning on get let us let's go ahead
    deep dive dig background_check interesting useful good nice quick quickly work working start can could would will you me my i i'm we a an of for to in
    compare comparison review analyse analyze check write list`,
  pointing: 'this that these those it its they them he she one ones other another former latter here there same such',
  articles: 'the',
  private: `yesterday today earlier recently mentioned mention told said spoke spoken talked talking discussed chatted sent shared showed shown saw
    seen heard read watched met remember remembered recall doctor boss colleague colleagues coworker friend friends neighbour neighbor teacher
    professor brother sister mother father mom dad wife husband cousin morning evening night week month ago everyone everybody using used had been was`,
  things: `drug drugs medication medications medicine compound compounds molecule molecules target targets gene genes protein proteins
    receptor receptors mutation mutations antibody antibodies vaccine disease condition company companies startup firm vendor product
    products device devices person people author authors man woman team bank stock coin token country city law bill case ruling
    treatment therapy trial method approach algorithm technique model models company's event book movie film game place`,
  here: `project projects repo repository codebase library package folder directory app application program workspace framework thesis manual plugin extension`,
  parts: `module file files document documents notes note script function class page text config configuration api service component data dataset code`,
  papers: 'paper papers article articles study preprint publication',
  fields: `video_games computer_games gaming television tv fashion cooking gardening photography architecture astronomy geography geology linguistics
    anthropology archaeology statistics theology mythology journalism theatre theater dance film cinema design manufacturing construction
    aviation robotics parenting relationships pets hobbies investing banking insurance real_estate social_media
    cancer cancers oncology disease diseases illness drug drugs medicine medicines medication medications health healthcare
    biology chemistry physics mathematics math maths science sciences technology technologies tech engineering computing computers
    computer software hardware programming coding internet web ai artificial_intelligence machine_learning deep_learning
    economics economy finance business marketing management politics law history philosophy psychology sociology education art music
    literature sports sport travel food nutrition fitness nature environment climate climate_change energy space universe world life
    people society culture religion war animals plants genes gene genetics proteins protein cells cell brain data security
    cybersecurity crypto cryptocurrency blockchain robots robotics cars games movies books money stocks companies company products
    product countries government pharmaceuticals pharma biotech biotechnology vaccines viruses bacteria heart_disease diabetes
    infection infections chemicals compounds molecules materials languages language databases networks agriculture transport`,
  general: `new newest latest recent current modern future trend trends news update updates development developments advance advances
    progress innovation innovations state art overview introduction basics general important main major top best better good big
    different various common type types kind kinds example examples fact facts history background treatment treatments therapy
    therapies cure cures research use uses usage application applications impact effect effects benefits risk risks problem
    problems issue issues challenge challenges solution solutions industry market method methods approach approaches technique
    techniques tool tools system systems discovery field fields area areas world today now year years pros cons side
    first second third next last other what which who how why when where is are was were does did has have be and or with from by at as between all really exactly`,
  named: `gene genes protein proteins drug drugs compound compounds molecule mutation variant receptor kinase enzyme inhibitor inhibitors
    agonist agonists antagonist antibody biomarker peptide package packages crate library vulnerability`,
  definition: String.raw`^\s*(?:what(?:'s|\sis|\sare|\sdoes)\b|who\s(?:is|was)\b|how\s(?:do|does|did)\b|define\b|definition\sof\b|meaning\sof\b)`,
  task: String.raw`(?:(?:please|can you|could you|would you|i want you to|help me(?: to)?)\s+){0,2}(?:(?:write|compose|draft)\s+(?:(?:me|us|a|an|some|the|my|short|long|funny|little|nice|new)\s+){0,4}(?:(?!on\b|about\b)[\p{L}-]+\s+){0,2}?(?:poem|poems|haiku|story|song|lyrics|joke|e-?mail|letter|tweet|essay|novel|function|code|script|program|cover letter|speech|regex)\b|tell\s+(?:me|us)\s+(?:a|another|some)\s+(?:\p{L}+\s+)?(?:jokes?|story|stories)\b|translate\s+(?:this|that|these|the following|my|it)\b|translate\b.{1,300}\b(?:in)?to\s+(?:english|german|french|spanish|italian|chinese|mandarin|japanese|korean|russian|arabic|portuguese|dutch|polish|finnish|swedish|turkish|hindi|greek|latin)\b|(?:book|reserve|order|buy)\s+(?:me|us)\b|(?:book|reserve|order|call|buy)\s+(?:a|an|the|some)\s+(?:\p{L}+\s+)?(?:flights?|table|room|hotel|tickets?|seats?|pizzas?|taxi|cab|meal|flowers)\b|remind\s+me\b|set\s+(?:an?|my)\s+(?:alarm|timer|reminder)\b|play\s+(?:(?:me\s+|some\s+)?(?:music|a song|songs)\b|me\s|some\s)|sing\b|draw\s+(?:me\b|an?\b)|(?:send|reply to)\s+(?:an?|this|my|the)\s+(?:e-?mail|message)\b|(?:fix|debug|refactor|rewrite|proofread)\s+(?:this|my|the following)\b|(?:generate|create|make)\s+(?:me\s+)?an?\s+(?:image|picture|logo|video|photo|song|poem)\b|delete\s+(?:all|my|the)\s+files?\b|solve\s+(?:this|my)\b|roleplay\b|pretend\s+(?:to\s+be|you)\b|ignore\s+(?:all|your|previous|the)\b.{0,30}\binstructions\b)`,
  harm: String.raw`(?:how\s+(?:to|do\s+i|can\s+i|can\s+you|could\s+i|would\s+i|can\s+one|does\s+one)|steps?\s+(?:to|for)|instructions?\s+(?:to|for|on)|recipes?\s+for|guide\s+(?:to|for)|teach\s+me(?:\s+how)?\s+to|help\s+me(?:\s+to)?|best\s+way\s+to|show\s+me\s+how\s+to|i\s+want\s+to)\s+(?:[\p{L}'-]+\s+){0,3}?(?:(?:make|making|build|building|synthesi[sz]e|synthesi[sz]ing|produce|cook|create|assemble|construct|prepare|manufacture|3d-?print|brew|weaponi[sz]e|spread|acquire|buy|write|develop)\s+(?:[\p{L}'-]+\s+){0,4}?(?:bombs?|explosives?|ieds?|grenades?|nerve\s+(?:agents?|gas)|sarin|novichok|vx|ricin|mustard\s+gas|poison\s+gas|anthrax|meth|methamphetamine|crystal\s+meth|heroin|chemical\s+weapons?|biological\s+weapons?|bio-?weapons?|dirty\s+bombs?|napalm|ghost\s+guns?|silencers?|ransomware|malware|keyloggers?|botnets?|computer\s+viruses)\b|(?:kill|murder|poison|stalk|kidnap|blackmail)\s+(?:someone|somebody|a\s+person|people|my|him|her|them)\b|(?:hack|break)\s+into\s+(?:someone|somebody|my|an?|his|her|their)\b|steal\s+(?:credit\s+cards?|identit(?:y|ies)|passwords?|a\s+car)\b)`,
  smallTalk: String.raw`(?:hi|hello|hey|howdy|greetings|good\s+(?:morning|afternoon|evening|day|night)|thanks|thank\s+you|thx|cheers|bye|goodbye|see\s+you|how\s+are\s+you|how's\s+it\s+going|what's\s+up|who\s+are\s+you|are\s+you\s+(?:there|human|a\s+bot|real)|ok(?:ay)?|lol|cool|nice|great|test|testing|ping)(?:\s+(?:there|everyone|all|again|a\s+lot|so\s+much|very\s+much|today|doing|you|bot|friend|1|2|3))*`,
  skips: `just start|whatever you like|whatever you want|whatever you think|skip this question|skip the question|start|begin|go|go on|go ahead|just go|skip|skip it|skip this|start research|start the research|start researching|just do it|do it|continue|proceed|carry on|whatever|no preference|you decide|you choose|up to you|your choice|surprise me|don't ask|no more questions|stop asking|get started|get going|let's go|let's start|i don't care|doesn't matter|don't mind|either is fine|anything is fine|as you like|use your judgment|use your best guess|best guess|no questions|research it|just research it`,
  fillers: `please just the now ok okay then research researching already right away yes it with and so well simply really me i you`,
  yes: 'yes y yep yeah ok okay sure correct right approve approved true exactly that_is_right looks_good',
  texts: {
    reference: 'What does “{phrase}” refer to? Please name it.',
    scope: '“{subject}” is a wide field. What about it should be researched?',
    goal: 'What should the research on “{subject}” find out?',
    term: 'No source that was asked knows “{term}”. What is meant by it?',
    confirm: 'This will be researched: {subject}. Is that right?',
    readings: ['{subject}: an overview', '{subject}: the latest developments', '{subject}: open problems and disputes'],
    asWritten: 'Search for “{term}” as written',
    correct: 'Yes, start',
    why: {
      topic: 'Nothing in the question names a subject.',
      reference: 'Neither the question nor the open folder says what it points at.',
      scope: 'A whole field does not fit into one report.',
      goal: 'The answer depends on what it is for.',
      term: 'It was looked up and not found: it may be misspelled, or very new.',
      confirm: 'You asked to confirm every question before it is researched.',
    },
    cannot: {
      task: 'This is a task rather than a question that sources could answer.',
      harm: 'This asks for instructions that could do serious harm, so it is not researched.',
      smallTalk: 'There is nothing to research in this yet.',
    },
    instead:
      'Ask about a subject that papers, code, discussions or your files cover, such as “How does HTTP/3 recover from packet loss?”.',
  },
};
