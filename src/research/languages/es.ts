import type { Language } from './language.ts';

export const es: Language = {
  tag: 'es',
  stopWords: `al algo algunos ante antes así aunque bajo bien cada como cómo con contra cual cuál cuáles cuando cuándo de
    del desde donde dónde dos el él ella ellas ellos en entre era es esa ese eso esta está están este esto estos
    fue ha han hasta hay la las le les lo los más me mi muy nada ni no nos o otra otro para pero poco por porque
    puede pueden cuántos cuántas cuánto cuánta cuáles nuestro nuestra nuestros hacia durante mientras había estaba sea
    deben debe qué que quien quién se según ser si sí sin sobre son su sus también tan tanto te tiene tienen
    todo todos tu un una unas uno unos y ya yo`,
  askingWords: `favor dime muestra explica describe lista da qué quién quiénes cuándo por dónde cómo cuánto cuánta
    cuántos cuántas cuál cuáles significa pasa sucede hay alguien algo comparar compara diferencia
    diferencias entre`,
  listWords: 'lista enumera cuáles qué todos todas',
  broadWords:
    'panorama|visión general|resumen general|introducción|estado del arte|principales (?:técnicas|métodos|enfoques|conceptos|temas)',
  letters: /[ñ¿¡]/gu,
  referenceHeadings: 'referencias|bibliografía|fuentes',
  conclusionHeadings: 'conclusión.*',
  chatter: [
    String.raw`\bcomo (?:un )?(?:modelo de lenguaje|ia|inteligencia artificial|asistente)\b`,
    String.raw`^(?:aquí (?:está|tienes)) (?:el|la|tu|su) .{0,30}(?:informe|sección|respuesta|resumen)\b`,
    String.raw`^(?:espero que esto|¡?claro!|¡?por supuesto!|lo siento, pero)`,
  ].join('|'),
  backReferences: [
    'est[aeo]s?|es[aeo]s?|ell[ao]s?|él|su|sus|amb[ao]s|dich[ao]s?|tal(?:es)?|así|sin embargo|además',
    'por (?:eso|ello|ejemplo|tanto)|(?:en|con|de|para|bajo) (?:est|es|dich)[aeo]s?',
  ].join('|'),
  turns: {
    not: 'no nunca ni ningún ninguna ninguno jamás imposible',
    softly: `sin salvo excepto evita evitan impide falta faltan apenas rara elimina eliminó ignora prohíbe prohibida prohibido exentos
      restringieron`,
    than: 'que',
    joins: 'y e pero mientras aunque sino donde',
    about: 'unos unas cerca casi alrededor aproximadamente más_de menos_de solo',
    all: 'todos todas siempre',
    some: 'algunos algunas mayoría muchos varios parte ciertos',
    opposites: `como_máximo|máximo|máxima|hasta|no_más_de/al_menos|mínimo|mínima|como_mínimo|por_lo_menos
      encima|más_de|superior|supera/debajo|menos_de|inferior alto|alta/bajo|baja
      mayor|mayores|grande/menor|menores|pequeño
      aumenta|aumentó|aumentaron|sube|subió|subieron|crece|creció|crecieron|creció/disminuye|disminuyó|disminuyeron|baja|bajó|bajaron|cae|cayó|descendió|redujo|reduce|reduces|recorta
      primero|primera|primeras|primeros|primer/último|última|últimas|últimos empieza|comienza/termina|acaba
      abre|abren/cierra|cierran siempre/nunca
      activado|activados|activada|activadas/desactivado|desactivados|desactivada|desactivadas
      rápido|rápida/lento|lenta mejor|mejores/peor|peores antes/después frecuente/raro`,
  },
  report: {
    analysis: 'Análisis de conjunto',
    conclusion: 'Conclusión y perspectivas',
    references: 'Referencias',
    howMade: 'Cómo se hizo este informe',
    furtherQuotes: 'Más citas',
    nothingFound: 'No se encontró nada para esta sección; se buscó en: {0}.',
    sectionFailed: 'No se pudo investigar esta sección: {0}',
    covered: 'Secciones con resultados: {0}. Fuentes: {1}.',
    notCovered: 'No se encontró nada sobre: {0}.',
    retrieved: 'Consultado el',
    standing: { retracted: 'RETRACTADO', withdrawn: 'RETIRADO', doubted: 'EXPRESIÓN DE PREOCUPACIÓN' },
  },
  run: {
    account: {
      withoutModel: 'Elaborado el {today} sin modelo de lenguaje: cada afirmación es una cita literal de su fuente.',
      withModel:
        'Redactado el {today} por {model} ({provider}), estrategia {strategy}, a partir de lo recuperado en esta investigación.',
      modelUnused:
        'Elaborado el {today} con citas literales de las fuentes: nada de lo que escribió {model} ({provider}) era utilizable.',
      quoted: 'Citado literalmente de las fuentes, sin el modelo: {titles}.',
      sources:
        'Fuentes recuperadas: {count} ({kinds}); citadas: {cited}, de ellas {verified} con una cita o cifra hallada de nuevo en el texto guardado.',
      leftOut: 'Excluidos según la configuración: {date} por fecha, {site} por sitio.',
      undated: 'Fuentes conservadas aunque no se conoce su fecha: {count}.',
      offTopic: 'Excluidas por tratar de algo distinto de la pregunta: {titles}.',
      dropped:
        'Eliminados porque ninguna fuente de esta investigación los respalda (afirmaciones, direcciones o marcadores): {count}.',
      assumed: 'Supuesto: {assumption}',
      review: 'Revisión: {score} de 10.',
      reviewRounds: 'Revisión: {score} de 10; rondas en que se devolvieron secciones: {rounds}.',
      reflection: 'Valoración: {score} de 10, rondas de búsqueda: {rounds}.',
      failed: 'Fallo: {title}. {error}',
      stopped: 'Detenida por usted antes de terminar: {title}.',
      remarks: 'Sus indicaciones durante la investigación: {followed} atendidas, {unused} llegaron tarde.',
      finishedEarly: 'Terminado antes a petición del usuario, con lo encontrado hasta entonces.',
      note: 'Nota: {warning}',
    },
    assumptions: {
      goal: 'No se indicó el objetivo; se supuso: {goal}.',
      skipped: 'Se omitió la pregunta «{question}»; se tomó la lectura más probable.',
      topic: 'El tema quedó impreciso; se investigó la interpretación más probable.',
      impossible: '«{term}» no se pudo consultar y se tomó literalmente.',
      notFound: '«{term}» se consultó sin encontrarse; se tomó literalmente.',
      taken: 'Se omitió la pregunta «{question}»; se tomó la respuesta recomendada: {answer}.',
      meaning: '«{phrase}» se entendió como {meaning}.',
      template: 'Se usó su plantilla «{name}»: {points}.',
    },
    strategies: {
      chosen: 'Elegida en los ajustes o para esta pregunta.',
      list: 'Una lista se investiga por secciones, en paralelo.',
      comparison: 'Una comparación se investiga por secciones, una por criterio.',
      depth: 'Un tema en profundidad: se busca por rondas, cada una guiada por las lagunas de la anterior.',
      fact: 'Una pequeña pregunta factual: un investigador y un informe breve.',
      broad: 'Una pregunta amplia se investiga por secciones, en paralelo.',
    },
    warnings: {
      storage: 'No se puede escribir en la carpeta de la investigación, que no se guarda: {error}',
      'storage.notSaved': 'Esta investigación no se guarda y no podrá reanudarse: {error}',
      'resume.checkpoint':
        'No se pudo leer el punto de interrupción: los pasos se repiten y las llamadas terminadas se toman del diario.',
      'resume.damaged':
        '{file} está dañado en parte. El archivo se apartó como {aside}; se usa lo legible y el resto se repite.',
      'resume.version':
        'La investigación empezó con la versión {before}; esta es la {now}. Las llamadas cuyas instrucciones cambiaron se repiten.',
      'resume.settings': 'La investigación se reanuda con sus ajustes originales; cambiados desde entonces: {keys}.',
      'resume.skipped': 'Se omitió {what}: el programa se detuvo mientras lo leía.',
      'resume.model':
        'La investigación empezó con {before} y se reanuda con {now}. Las respuestas obtenidas se conservan.',
      'settings.unknown': 'Se ignora el ajuste desconocido «{key}».',
      'source.unavailable': 'La fuente {source} no está disponible.',
      'source.failed': '{source}: {error}',
      'source.bug': '{tool} falló por un defecto propio. El registro da detalles; se usan las demás fuentes.',
      'source.notice': '{source} respondió solo en parte; el registro da detalles.',
      'attached.unread': 'No se pudo leer el documento adjunto {name}: {error}',
      'page.unread': 'No se leyó: {url}. {error}',
      'sources.notAsked':
        'No consultadas por el límite de llamadas a herramientas: {sources}. Indique menos fuentes en deepResearch.sources.enabled o aumente deepResearch.limits.maxToolCallsPerResearcher.',
      'sources.offline': 'Sin conexión: no se pudo acceder a ningún servicio; solo se buscó en el área de trabajo.',
      'query.cut': 'Se quitó de una consulta a {source} porque solo está en sus archivos: {words}.',
      'model.retry': '{error} Nuevo intento en {seconds} s.',
      'model.loading': 'El servidor está cargando el modelo «{model}»; puede tardar unos minutos.',
      'discover.nothing': 'La exploración no encontró fuentes; el plan se hace solo con la pregunta.',
      'discover.failed': 'La exploración falló: {error} El plan se hace solo con la pregunta.',
      'plan.bounded': 'El modelo planificó {planned} secciones; el plan tiene {sections}.',
      'plan.remarkByWords':
        'Sin un modelo, los comentarios sobre el plan no se entienden: sus palabras se buscan en una sección propia.',
      'research.cutShort': 'La investigación se acortó: {error} Se usa lo que ya se había encontrado.',
      'research.byRules':
        'El modelo no hizo ninguna llamada útil a herramientas; sus búsquedas se eligieron por reglas.',
      'research.ownWords':
        'Las búsquedas del modelo no encontraron nada; el informe cita lo que encontró una búsqueda de la propia pregunta.',
      'section.failed': 'No se pudo investigar «{title}»: {error}',
      'section.unread': 'No se pudo leer «{title}»: {error}',
      'section.uncondensed': 'No se pudo condensar «{title}»: {error}',
      'distil.quotesOnly': 'No se pudieron condensar los resultados: {error} Se dan como citas.',
      'review.failed': 'No se pudieron revisar los resultados: {error} El informe se redacta con lo encontrado.',
      'reflect.failed': 'No se pudieron valorar los resultados: {error} El informe se redacta con lo encontrado.',
      'report.cutShort': 'No se pudo completar el informe: {error} El resto se da tal como se encontró.',
      'report.notWritten': 'El modelo no redactó un informe. Los resultados se dan tal como se encontraron.',
      'report.tooLong': 'El informe alcanzó el límite de salida del modelo y está incompleto.',
      'budget.reached': 'Se alcanzó el presupuesto de {what}; el informe se redacta con lo encontrado hasta entonces.',
      'budget.noPrice':
        'No se conoce ningún precio de {model}, así que no se puede respetar deepResearch.budget.maxCost. Indíquelo en deepResearch.prices.',
      'model.givenUp':
        'El modelo no dio ninguna respuesta útil varias veces seguidas, así que el resto se hizo sin él. Por último: {error}',
      'model.refused': '{error} El resto se hizo sin este modelo.',
      'step.byRules': 'El paso «{step}» se hizo sin el modelo: {error}',
      'passages.refused': 'El filtro de contenido del modelo rechazó {count} de las fuentes; se omitieron.',
      'report.unsaved': 'No se pudo guardar el informe en su carpeta: {error} {where}',
      host: '{text}',
    },
    ends: {
      tooEarly:
        'La investigación se terminó antes de encontrar nada que responda a la pregunta; no hay nada que informar.',
      tooEarlyNext: 'Reanude la investigación o repita la pregunta con más tiempo.',
      nothingFound: 'No se encontró nada que responda a la pregunta; no se redactó ningún informe.',
      nothingFoundIn: 'No se encontró en {sources} nada que responda a la pregunta; no se redactó ningún informe.',
      offline:
        'Sin conexión: no se pudo acceder a ningún servicio, así que no se encontró nada ni se escribió ningún informe.',
      offlineNext:
        'Compruebe la red y vuelva a ejecutar la pregunta, o abra una carpeta que contenga algo sobre el tema.',
      nothingFoundNext: 'Pruebe con otras palabras o menos, active más fuentes o abra una carpeta sobre el tema.',
      noneResearched: 'No se pudo investigar ninguna sección: {error}',
      noneResearchedNext:
        'Compruebe la conexión, la clave y las fuentes activadas y reanude la investigación: lo encontrado está guardado.',
    },
    notReached: 'La investigación se terminó antes de empezar esta sección.',
    stoppedByUser: 'Usted detuvo esta sección.',
    savedIn: 'Está guardado en {location}.',
    service: 'El servicio',
    errors: {
      contextLength: '{origin}: el texto era demasiado largo para el modelo.',
      rateLimit: '{origin} limita ahora el número de peticiones.',
      quota: '{origin}: la cuota está agotada.',
      budget: 'El presupuesto de esta ejecución está agotado.',
      auth: '{origin} denegó el acceso.',
      contentFilter: '{origin} se negó a responder.',
      notFound: '{origin} no tiene lo solicitado.',
      network: '{origin} no está accesible.',
      streamBroken: '{origin}: la respuesta se interrumpió.',
      timeout: '{origin} no respondió a tiempo.',
      badRequest: '{origin} rechazó la petición.',
      badAnswer: '{origin} dio una respuesta inservible.',
      abort: 'La investigación se detuvo.',
      finish: 'La investigación se terminó antes.',
      noEvidence: 'No se encontró nada.',
      cannotDo: 'Esto no se puede investigar.',
      needsAnswer: 'Falta una respuesta del usuario.',
      config: 'Un ajuste no se puede usar.',
      storage: 'No se pudo escribir un archivo.',
      bug: 'Un defecto del programa Deep Research.',
    },
  },
  digest: {
    answer: 'Respuesta',
    digest: 'Citado palabra por palabra de las fuentes, lo mejor primero; sin modelo de lenguaje.',
    missing: 'Ningún pasaje habla de {words}.',
    spelled: 'No se encontró así escrito y se leyó como la palabra más cercana de las fuentes: {words}.',
    nearest: 'Lo que sigue es lo más cercano, no una respuesta a toda la pregunta.',
    nearestLacks:
      'Lo que sigue es lo más cercano, no una respuesta a toda la pregunta; al mejor pasaje le falta {words}.',
    above: 'Los pasajes correspondientes están más arriba.',
    comma: ', ',
    conclusion: 'Conclusión y perspectivas',
    outlook:
      'Las citas se eligen por sus palabras y no se han contrastado entre sí: lea las fuentes antes de apoyarse en una afirmación. Con un modelo de lenguaje configurado, la misma investigación da un informe redactado.',
    objective: 'Reunir lo que dicen las fuentes, con sus propias palabras.',
    scope: 'Los pasajes citables de las fuentes activadas.',
    assess: {
      topic:
        '¿Qué se debe investigar? Indique un tema, por ejemplo un método, un producto o una pregunta de su trabajo.',
      topicOptions: [
        'Generación aumentada por recuperación: técnicas principales',
        'Comparación de bases de datos vectoriales',
        'Evaluación de aplicaciones con modelos de lenguaje',
      ],
      understood: 'Comienza la investigación sobre {subject}.',
      noTopic:
        'No hay tema que investigar. Indique uno, por ejemplo un método, un producto o una pregunta de su trabajo.',
    },
  },
};
