import type { Language } from './language.ts';

export const en: Language = {
  tag: 'en',
  stopWords: `a about above after again against all also am among an and any are as at be because been before being below
    between both but by can could did do does doing done down during each either else ever every few for from
    further get gets had has have having he her here hers him his how i if in into is it its itself just let
    like many may me might more most much must my near neither no nor not of off on once one only or other our
    ours out over own per please rather same shall she should since so some still such than that the their
    theirs them then there these they this those through thus to too toward towards under until up upon us very
    via was we were what when where whether which while who whom whose why will with within without would yet
    you your yours`,
  askingWords: `do does did don doesn didn isn aren wasn can couldn won wouldn shouldn please main overview tell show explain
    describe list give find know want need mean means say says happen happens called many much often long
    far old kind sort anyone someone somebody something anything everything let help hello hi thanks vs
    versus compare comparison difference differences between there here`,
  listWords: 'list which all every enumerate kinds types steps',
  broadWords:
    'overview|survey|landscape|introduction|state of the art|main (?:techniques|approaches|methods|ideas|topics|concepts|parts|features)',
  referenceHeadings: 'references?|bibliography|sources|works cited|citations',
  conclusionHeadings: 'conclusions?(?: (?:and|&) (?:outlook|future.*))?|outlook',
  chatter: [
    String.raw`\b(?:as|i'?m|i am) an? (?:ai|artificial intelligence|large language model)\b|\bmy (?:training data|knowledge cut-?off)\b`,
    String.raw`^(?:i(?:'m| am) (?:sorry|unable|happy to)|i (?:apologi[sz]e|can(?:no|')t (?:help|assist|provide|browse|access)|do(?: not|n't) have access))\b`,
    String.raw`^(?:sure|certainly|of course|absolutely|okay|great question)[!,.](?:\s|$)`,
    String.raw`^here(?:'s|’s| is| are) (?:the|your|a|my|an) (?:(?:full|final|complete|revised|updated|requested|corrected|json|rest of the|continuation of the)\s)*(?:report|section|summary|answer|response|json|object|text|continuation)\b`,
    String.raw`^(?:let me know if|feel free to|(?:please )?(?:note that )?i hope (?:this|that|it) (?:helps|answers)|is there anything else)\b`,
  ].join('|'),
  backReferences: [
    'it|its|they|their|these|those|this|that|such|he|she|his|her|both|neither|here|there|then|thus|hence|therefore',
    'however|moreover|furthermore|instead|otherwise|but|yet|for (?:example|instance)|as a result',
    'the (?:latter|former|same|others?|value|number|figure|gain|increase|decrease|drop|difference|effect)',
    '(?:in|at|on|for|with|under|by|of|from|after|before|during|among|across) (?:this|these|that|those|it|them|such|both)',
    'in (?:contrast|addition)',
  ].join('|'),
  turns: {
    not: 'not no never cannot nor neither none no_longer unable impossible cease ceased',
    softly: `unless without except avoid avoids avoided sidesteps sidestep prevent prevents prevented lack lacks lacking fail fails failed
      refuse refuses instead rather rarely hardly seldom little barely gone unnecessary forbid forbids
      forbidden forbidding prohibited prohibits prohibited ban bans banned bars exclude excludes excluded
      ignore ignores ignored beyond until yet caution against free`,
    than: 'than',
    joins: 'and but while whereas although though however yet because since so which who',
    about: `about around roughly nearly almost some approximately approx ~ ≈ circa over more_than less_than under
      below at_least up_to only`,
    all: 'all always every_single',
    some: 'some most several many certain majority part half few partly',
    opposites: `
      at_most|never_more_than|maximum|maximal|max|no_more_than|not_more_than|not_exceed|no_longer_than|up_to/at_least|minimum|minimal|min|no_less_than|no_fewer_than|not_less_than
      above|over|exceed|exceeds|exceeding|more_than|greater_than|larger_than|bigger_than|longer_than|older_than|higher_than/below|under|less_than|fewer_than|smaller_than|shorter_than|younger_than|lower_than
      higher|high|highest/lower|low|lowest
      more|most_common|often|frequent|frequently/less|fewer|rarely|seldom|least
      increase|increases|increased|increasing|rise|rises|rose|risen|rising|grew|grows|grown|growing|raise|raises|raised|climbed|climbs|gained|gains|added|adds|extends|extended|lifted|lifts/decrease|decreases|decreased|decreasing|fall|falls|fell|fallen|falling|drop|drops|dropped|shrank|shrunk|shrinks|reduce|reduces|reduced|lower|lowers|lowered|cut|cuts|declined|declines|lost|loses|shed|slowed|dipped
      larger|large|largest|bigger|biggest|greater/smaller|small|smallest
      faster|fast|fastest|quicker/slower|slow|slowest|slowly longer|longest/shorter|shortest first/last
      start|starts|started|begins|began/stop|stops|stopped|ends|ended open|opens|opened/close|closes|closed
      improve|improves|improved/worsen|worsens|worsened|degrades|degraded always/never
      enabled|enables|enable|enabling|on_by_default/disabled|disables|disable|off_by_default|stays_off|is_off|are_off
      better|best/worse|worst
      accept|accepts|accepted|allow|allows|allowed|may/reject|rejects|rejected|forbids|forbidden|prohibited
      strong|stronger|strongly/weak|weaker|weakly inside|within/outside earlier|early/later|late
      cheap|cheaper/expensive|costly adds_support|introduces/remove|removes|removed|drop|drops|dropped
      precise/vague newest|latest|newer|new/oldest|older|old profit/loss before/after`,
  },
  report: {
    analysis: 'Analysis',
    conclusion: 'Conclusion and outlook',
    references: 'References',
    howMade: 'How this report was made',
    furtherQuotes: 'Further quotes',
    nothingFound: 'Nothing was found for this section; searched: {0}.',
    sectionFailed: 'This section could not be researched: {0}',
    covered: 'Sections with findings: {0}. Sources: {1}.',
    notCovered: 'Nothing was found on: {0}.',
    retrieved: 'Retrieved',
    standing: { retracted: 'RETRACTED', withdrawn: 'WITHDRAWN', doubted: 'EXPRESSION OF CONCERN' },
  },
  run: {
    account: {
      withoutModel: 'Made on {today} without a language model: every claim is a verbatim quote of its source.',
      withModel:
        'Written on {today} by {model} ({provider}), strategy {strategy}, from what was retrieved in this run.',
      modelUnused:
        'Made on {today} of quotes of the sources, word for word: nothing that {model} ({provider}) wrote could be used.',
      quoted: 'Quoted from the sources word for word, without the model: {titles}.',
      sources:
        'Sources retrieved: {count} ({kinds}); cited: {cited}, of which {verified} with a quotation or figure found again in the stored text.',
      leftOut: 'Left out, because the settings exclude them: {date} by date, {site} by site.',
      undated: 'Sources kept although their date is not known: {count}.',
      offTopic: 'Left out, because they are about something else than the question: {titles}.',
      dropped: 'Removed because no source of this run supports them (statements, addresses or markers): {count}.',
      assumed: 'Assumed: {assumption}',
      review: 'Review: {score} of 10.',
      reviewRounds: 'Review: {score} of 10; rounds in which sections were sent back: {rounds}.',
      reflection: 'Assessed: {score} of 10 after search rounds: {rounds}.',
      failed: 'Failed: {title}. {error}',
      stopped: 'Stopped by you before it was finished: {title}.',
      remarks: 'Your remarks along the way: {followed} followed, {unused} came too late.',
      finishedEarly: 'Finished early at the user’s request, using what had been found.',
      note: 'Note: {warning}',
    },
    assumptions: {
      goal: 'The goal was not stated; assumed: {goal}.',
      skipped: 'The question "{question}" was skipped; the most likely reading was taken.',
      topic: 'The topic stayed vague; the best guess was researched.',
      impossible: '"{term}" could not be looked up and was taken literally.',
      notFound: '"{term}" was looked up and not found; it was taken literally.',
      taken: 'The question "{question}" was skipped; the recommended answer was taken: {answer}.',
      meaning: '"{phrase}" is taken to mean {meaning}.',
      template: 'Your focus "{name}" was used: {points}.',
    },
    strategies: {
      chosen: 'Chosen in the settings or for this question.',
      list: 'A list is researched by sections, side by side.',
      comparison: 'A comparison is researched by sections, one for each dimension.',
      depth: 'One subject in depth: searched in rounds, each guided by the gaps of the previous one.',
      fact: 'A small factual question: one researcher and a short report.',
      broad: 'A broad question is researched by sections, in parallel.',
    },
    warnings: {
      storage: "The run's folder can't be written, so this run is not saved: {error}",
      'storage.notSaved': "This run is not saved and can't be resumed: {error}",
      'resume.checkpoint':
        'The point where the run was interrupted could not be read, so its steps are repeated; completed calls are taken from its journal.',
      'resume.damaged':
        '{file} of this run is damaged in part. The file was set aside as {aside}; what could be read of it is used, the rest is done again.',
      'resume.version':
        'The run began with version {before}; this is {now}. Calls whose prompts have changed since are made again.',
      'resume.settings': 'The run keeps the settings that it began with; changed since: {keys}.',
      'resume.skipped': '{what} was skipped: the program was stopped while it was reading it.',
      'resume.model': 'The run began with {before} and continues with {now}. Earlier answers are kept.',
      'settings.unknown': 'The setting "{key}" is unknown and was ignored.',
      'source.unavailable': '{why}',
      'source.failed': '{error}',
      'source.bug':
        '{tool} failed because of a bug in the tool itself. The log has details; the other sources are used.',
      'source.notice': '{text}',
      'attached.unread': 'The attached document {name} could not be read: {error}',
      'page.unread': 'Not read: {url}. {error}',
      'sources.notAsked':
        'Not asked within the limit of tool calls: {sources}. Name fewer sources in deepResearch.sources.enabled, or raise deepResearch.limits.maxToolCallsPerResearcher.',
      'sources.offline': 'Offline: no service could be reached; only the workspace was searched.',
      'query.cut': 'Left out of a query to {source}, because it stands only in your files: {words}.',
      'model.retry': '{error} Trying again in {seconds} s.',
      'model.loading': 'The server is loading the model "{model}"; this can take minutes.',
      'discover.nothing': 'The discovery found no sources; the plan is made from the question alone.',
      'discover.failed': 'The discovery failed: {error} The plan is made from the question alone.',
      'plan.bounded': 'The model planned {planned} sections; the plan has {sections}.',
      'plan.remarkByWords':
        'Without a model, remarks on a plan are not understood: the words of yours are searched for in a section of their own.',
      'research.cutShort': 'The research was cut short: {error} What had been found is used.',
      'research.byRules': 'The model made no usable tool call, so its searches were chosen by rules.',
      'research.ownWords':
        "The model's searches found nothing, so the report quotes what a search for the question itself found.",
      'section.failed': '"{title}" could not be researched: {error}',
      'section.unread': '"{title}" could not be read: {error}',
      'section.uncondensed': '"{title}" could not be condensed: {error}',
      'distil.quotesOnly': 'The findings could not be condensed: {error} They are given as quotes.',
      'review.failed': 'The findings could not be reviewed: {error} The report is written from what was found.',
      'reflect.failed': 'The findings could not be assessed: {error} The report is written from what was found.',
      'report.cutShort': 'The report could not be completed: {error} The rest is given as it was found.',
      'report.notWritten': 'The model did not write a report. The findings are given as they were found.',
      'report.tooLong': "The report reached the model's output limit and is incomplete.",
      'budget.reached': 'The budget of {what} was reached; the report is written from what was found until then.',
      'budget.noPrice':
        "No price is known for {model}, so deepResearch.budget.maxCost can't be kept. Set it in deepResearch.prices.",
      'model.givenUp':
        'The model gave no usable answer several times in a row, so the rest was done without it. Last: {error}',
      'model.refused': '{error} The rest was done without this model.',
      'step.byRules': 'The step "{step}" was done without the model: {error}',
      'passages.refused': "The model's content filter refused {count} of the sources; they were left out.",
      'report.unsaved': '{error} {where} {next}',
      host: '{text}',
    },
    ends: {
      tooEarly:
        'The research was finished before anything that answers the question was found, so there is nothing to report.',
      tooEarlyNext: 'Resume the run, or rerun the question and give it more time.',
      nothingFound: 'Nothing that answers the question was found, so no report was written.',
      nothingFoundIn: 'Nothing that answers the question was found in {sources}, so no report was written.',
      offline: 'Offline: no service could be reached, so nothing was found and no report was written.',
      offlineNext: 'Check the network and rerun the question, or open a folder that has something on the subject.',
      nothingFoundNext:
        'Try other or fewer words, enable more sources, or open a folder that has something on the subject.',
      noneResearched: 'No section could be researched: {error}',
      noneResearchedNext:
        'Check the connection, the key and the enabled sources, then resume the run: what was found is saved.',
    },
    notReached: 'The research was finished before this section was started.',
    stoppedByUser: 'Stopped by you.',
    savedIn: 'It is saved in {location}.',
    service: 'The service',
  },
  digest: {
    answer: 'Answer',
    digest: 'Quoted word for word from the sources, best first; no language model was used.',
    missing: 'No passage speaks of {words}.',
    spelled: 'Not found as spelled, and read as the nearest word of the sources: {words}.',
    nearest: 'What follows is the nearest that was found, not an answer to the whole question.',
    nearestLacks:
      'What follows is the nearest that was found, not an answer to the whole question; the best passage lacks {words}.',
    above: 'The passages that bear on this stand above.',
    comma: ', ',
    conclusion: 'Conclusion and outlook',
    outlook:
      'The quotes are selected by their words and not weighed against each other: read the sources before you rely on a statement. With a language model configured, the same research gives a written report.',
    objective: 'Collect what the sources say, in their own words.',
    scope: 'Passages that can be quoted from the sources that are switched on.',
    assess: {
      topic: 'What should be researched? Name a subject, such as a method, a product or a question from your work.',
      topicOptions: [
        'Retrieval-augmented generation: main techniques',
        'Vector databases: a comparison',
        'Evaluation of language model applications',
      ],
      understood: 'Research on {subject} starts now.',
      noTopic: 'There is no subject to research. Name one, such as a method, a product or a question from your work.',
    },
  },
};
