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
  referenceHeadings: 'references?|bibliography|sources|works cited|citations',
  conclusionHeadings: 'conclusions?(?: (?:and|&) (?:outlook|future.*))?|outlook',
  report: {
    conclusion: 'Conclusion and outlook',
    references: 'References',
    howMade: 'How this report was made',
    nothingFound: 'Nothing was found for this section; searched: {0}.',
    sectionFailed: 'This section could not be researched: {0}',
    covered: 'Sections with findings: {0}. Sources: {1}.',
    notCovered: 'Nothing was found on: {0}.',
    retrieved: 'Retrieved',
  },
  digest: {
    facets: {
      definition: 'Definition and how it works',
      background: 'Background and development',
      techniques: 'Techniques and approaches',
      evaluation: 'Evaluation and results',
      cost: 'Cost, speed and scale',
      tools: 'Tools and implementations',
      applications: 'Use in practice',
      limits: 'Limits and open problems',
      recent: 'Recent developments',
      choice: 'Strengths, weaknesses and choice',
    },
    whatItIs: 'What {subject} is and how it works',
    whatTheyAre: 'What {subject} are and how they work',
    aspectOf: '{aspect} for {subject}',
    compared: {
      definition: 'How {sides} work',
      techniques: 'Approaches behind {sides}',
      evaluation: 'Quality and results of {sides}',
      cost: 'Cost, speed and scale of {sides}',
      limits: 'Limits of {sides}',
      tools: 'Tools and implementations for {sides}',
      choice: 'Choosing between {sides}',
    },
    and: ' and ',
    comma: ', ',
    origins: {
      workspace: 'In this workspace',
      papers: 'Papers',
      projects: 'Projects',
      discussions: 'Discussions',
      web: 'Web',
    },
    columns: { source: 'Source', subject: 'Subject', says: 'What it says' },
    related: 'Related',
    digest:
      'This is a digest made without a language model: every statement is quoted word for word from {sources}, followed by its reference.',
    conclusion: 'Conclusion and outlook',
    found: 'What was found:',
    foundLine: '{section}: {sources}',
    notFound: 'Nothing was found on: {sections}.',
    allFound: 'Every section of the plan has quotes.',
    outlook:
      'The quotes are selected by their words and not weighed against each other: read the sources before you rely on a statement. With a language model configured, the same research gives a written report.',
    objective: 'Collect what the sources say, in their own words.',
    scope: 'Passages that can be quoted from the sources that are switched on.',
    description: '{facet}: {subject}.',
    sources: [
      'one source',
      'two sources',
      'three sources',
      'four sources',
      'five sources',
      'six sources',
      'seven sources',
      'eight sources',
      'nine sources',
      'ten sources',
      'eleven sources',
      'twelve sources',
      'more than twelve sources',
    ],
    assess: {
      topic: 'What should be researched? Name a subject, such as a method, a product or a question from your work.',
      topicOptions: [
        'Retrieval-augmented generation: main techniques',
        'Vector databases: a comparison',
        'Evaluation of language model applications',
      ],
      scope: '**{subject}** is a wide field. Which side of it matters to you?',
      scopeOptions: [
        'Overview and main approaches',
        'Recent developments',
        'Tools and implementations',
        'Limits and open problems',
      ],
      understood: 'Research on {subject} starts now.',
      defaultGoal: 'an overview: how it works, approaches, results, tools and limits',
      cannotDo:
        'This is a task to carry out and not a subject for research. Ask about something that papers, code or documents can answer.',
      noTopic: 'There is no subject to research. Name one, such as a method, a product or a question from your work.',
    },
  },
};
