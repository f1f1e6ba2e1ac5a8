import type { Language } from './language.ts';

export const es: Language = {
  tag: 'es',
  stopWords: `al algo algunos ante antes así aunque bajo bien cada como cómo con contra cual cuál cuáles cuando cuándo de
    del desde donde dónde dos el él ella ellas ellos en entre era es esa ese eso esta está están este esto estos
    fue ha han hasta hay la las le les lo los más me mi muy nada ni no nos o otra otro para pero poco por porque
    puede pueden qué que quien quién se según ser si sí sin sobre son su sus también tan tanto te tiene tienen
    todo todos tu un una unas uno unos y ya yo`,
  letters: /[ñ¿¡]/gu,
  referenceHeadings: 'referencias|bibliografía|fuentes',
  conclusionHeadings: 'conclusión.*',
  report: {
    conclusion: 'Conclusión y perspectivas',
    references: 'Referencias',
    howMade: 'Cómo se hizo este informe',
    nothingFound: 'No se encontró nada para esta sección; se buscó en: {0}.',
    sectionFailed: 'No se pudo investigar esta sección: {0}',
    covered: 'Secciones con resultados: {0}. Fuentes: {1}.',
    notCovered: 'No se encontró nada sobre: {0}.',
    retrieved: 'Consultado el',
  },
  digest: {
    facets: {
      definition: 'Definición y funcionamiento',
      background: 'Antecedentes y evolución',
      techniques: 'Técnicas y enfoques',
      evaluation: 'Evaluación y resultados',
      cost: 'Coste, velocidad y escala',
      tools: 'Herramientas e implementaciones',
      applications: 'Uso en la práctica',
      limits: 'Límites y problemas abiertos',
      recent: 'Avances recientes',
      choice: 'Ventajas, desventajas y elección',
    },
    whatItIs: '{subject}: definición y funcionamiento',
    aspectOf: '{subject}: {aspect}',
    compared: {
      definition: 'Funcionamiento: {sides}',
      techniques: 'Enfoques: {sides}',
      evaluation: 'Calidad y resultados: {sides}',
      cost: 'Coste, velocidad y escala: {sides}',
      limits: 'Límites: {sides}',
      tools: 'Herramientas: {sides}',
      choice: 'Cómo elegir: {sides}',
    },
    and: ' y ',
    comma: ', ',
    origins: {
      workspace: 'En este espacio de trabajo',
      papers: 'Artículos',
      projects: 'Proyectos',
      discussions: 'Debates',
      web: 'Web',
    },
    columns: { source: 'Fuente', subject: 'Tema', says: 'Lo que dice' },
    related: 'Relacionado',
    digest:
      'Esta recopilación se hizo sin modelo de lenguaje: cada afirmación está citada palabra por palabra y seguida de su referencia. Número de fuentes: {sources}.',
    conclusion: 'Conclusión y perspectivas',
    found: 'Lo que se encontró:',
    foundLine: '{section} – fuentes: {sources}',
    notFound: 'No se encontró nada sobre: {sections}.',
    allFound: 'Cada sección del plan tiene citas.',
    outlook:
      'Las citas se eligen por sus palabras y no se han contrastado entre sí: lea las fuentes antes de apoyarse en una afirmación. Con un modelo de lenguaje configurado, la misma investigación da un informe redactado.',
    objective: 'Reunir lo que dicen las fuentes, con sus propias palabras.',
    scope: 'Los pasajes citables de las fuentes activadas.',
    description: '{facet}: {subject}.',
    sources: [
      'una',
      'dos',
      'tres',
      'cuatro',
      'cinco',
      'seis',
      'siete',
      'ocho',
      'nueve',
      'diez',
      'once',
      'doce',
      'más de doce',
    ],
    assess: {
      topic:
        '¿Qué se debe investigar? Indique un tema, por ejemplo un método, un producto o una pregunta de su trabajo.',
      topicOptions: [
        'Generación aumentada por recuperación: técnicas principales',
        'Comparación de bases de datos vectoriales',
        'Evaluación de aplicaciones con modelos de lenguaje',
      ],
      scope: '**{subject}** es un campo amplio. ¿Qué aspecto le interesa?',
      scopeOptions: [
        'Visión general y enfoques principales',
        'Avances recientes',
        'Herramientas e implementaciones',
        'Límites y problemas abiertos',
      ],
      understood: 'Comienza la investigación sobre {subject}.',
      defaultGoal: 'una visión general: funcionamiento, enfoques, resultados, herramientas y límites',
      cannotDo:
        'Es una tarea por ejecutar y no un tema de investigación. Pregunte por algo que los artículos, el código o los documentos puedan responder.',
      noTopic:
        'No hay tema que investigar. Indique uno, por ejemplo un método, un producto o una pregunta de su trabajo.',
    },
  },
};
