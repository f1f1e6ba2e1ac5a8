import type { AskingWords } from './askingWords.ts';

export const es: AskingWords = {
  requests: `mí investiga investigar investigación investigaciones busca buscar búsqueda estudia estudiar encuentra encontrar ayuda ayudar ayúdame
    ayúdeme haz hazme hacer favor por quiero quisiera necesito gustaría saber aprender conocer dime dame muestra muéstrame explica
    explícame explicar describe resume resumir resumen habla háblame algo alguna cosa cosas tema temas asunto pregunta preguntas info
    información datos detalles informe respuesta más sobre acerca de del la el los las un una unos unas puedes puede podrías tú usted
    yo me mi nos compara comparar comparación analiza comprueba escribe lista interesante útil con para a en que`,
  pointing: `este esta esto estos estas ese esa eso esos esas aquel aquella aquello aquellos aquellas él ella ellos ellas otro otra otros otras
    mismo misma tal dicho dicha aquí ahí lo`,
  private: `ayer anteayer hoy recientemente pasada pasado mencionó mencionado mencionaste hablamos hablado hablábamos dijo dijiste contó discutimos
    envió enviaron mostró vi vimos visto oí oído leí leído conocí recuerdas médico doctora doctor jefe jefa colega compañero compañera amigo
    amiga vecino vecina profesor profesora hermano hermana madre padre marido semana mes ha han hemos habíamos`,
  things: `fármaco fármacos medicamento medicamentos molécula compuesto diana gen genes proteína proteínas receptor mutación anticuerpo vacuna
    enfermedad empresa compañía startup fabricante producto productos dispositivo persona autor equipo banco acción país ciudad ley caso
    sentencia tratamiento terapia ensayo método enfoque algoritmo técnica modelo evento libro película juego lugar`,
  here: `proyecto repo repositorio código biblioteca librería paquete carpeta directorio aplicación programa framework api tesis`,
  parts: `módulo archivo archivos fichero documento documentos notas nota script función clase página texto configuración servicio componente`,
  papers: 'artículo artículos paper publicación preprint',
  fields: `videojuegos televisión moda cocina jardinería fotografía arquitectura astronomía geografía geología lingüística arqueología estadística
    teología mitología periodismo teatro danza cine diseño aviación robótica seguros
    cáncer oncología enfermedad enfermedades fármacos medicamentos medicamento medicina salud biología química física matemáticas ciencia
    ciencias tecnología tecnologías ingeniería informática computación ordenadores software hardware programación internet ia
    inteligencia_artificial economía finanzas negocios marketing gestión política derecho historia filosofía psicología sociología
    educación arte música literatura deporte deportes viajes comida alimentación nutrición naturaleza medio_ambiente clima energía
    espacio universo mundo vida sociedad cultura religión guerra animales plantas genes genética proteínas células cerebro seguridad
    criptomonedas blockchain robótica coches juegos películas libros dinero acciones empresas productos países gobierno farmacia
    biotecnología vacunas virus bacterias diabetes infecciones materiales idiomas agricultura transporte`,
  general: `nuevo nueva nuevos nuevas último última últimos últimas reciente recientes actual actuales moderno futuro tendencia tendencias
    noticias novedades desarrollo desarrollos avance avances progreso innovación innovaciones estado panorama introducción básicos
    general importante importantes principal principales mejor mejores bueno buenos gran grande diferentes tipos tipo ejemplos hechos
    historia contexto tratamiento tratamientos terapia terapias cura investigación uso usos aplicación aplicaciones impacto efecto
    efectos beneficios riesgo riesgos problema problemas desafíos solución soluciones industria mercado método métodos herramientas
    sistemas descubrimiento campo hoy ahora y o es son qué cuál cuáles quién cómo cuándo dónde todo todos`,
  named:
    'gen proteína fármaco medicamento molécula compuesto mutación variante receptor quinasa enzima inhibidor inhibidores agonista anticuerpo biomarcador paquete biblioteca',
  definition: String.raw`^[\s¿]*(?:qué\s(?:es|son|significa)\b|quién\s(?:es|fue)\b|definición\b)`,
  task: String.raw`[\s¿¡]*(?:(?:por favor|puedes|podrías)\s+){0,2}(?:(?:escribe|escríbeme|escribir|redacta|redáctame|compón)\s+(?:(?:un|una|el|la|corto|corta|breve)\s+){0,2}(?:poema|historia|cuento|canción|chiste|correo|e-?mail|carta|novela|función|código|script|programa|discurso)\b|cuéntame\s+un\s+(?:chiste|cuento)\b|traduce\b|tradúceme\b|traducir\b|resérva(?:me)?\b|reserva(?:r)?\s|pide(?:me)?\s+una?\b|pídeme\b|cómprame\b|recuérdame\b|pon\s+(?:música|una alarma)\b|canta\b|dibuja(?:me)?\b|dibújame\b|envía\s+(?:un|este)|corrige\s+(?:este|mi)|borra\s+(?:todos|mis|los)\s)`,
  harm: String.raw`(?:cómo|receta|instrucciones|pasos).{0,30}(?:hacer|fabricar|construir|sintetizar|producir|preparar|crear)\s.{0,25}(?:bomba|bombas|explosivo|explosivos|sarín|gas\s+(?:nervioso|mostaza)|ricina|metanfetamina|heroína|arma\s+(?:química|biológica)|ransomware)|cómo\s+(?:matar|envenenar|asesinar)\s`,
  smallTalk: String.raw`[¡¿\s]*(?:hola|buenos\s+días|buenas\s+(?:tardes|noches)|buenas|gracias|muchas\s+gracias|adiós|hasta\s+luego|qué\s+tal|cómo\s+estás|quién\s+eres|prueba)(?:\s+(?:a\s+todos|amigo|tú))*`,
  skips: `empezar|empieza|empieza ya|comienza|comenzar|saltar|salta|omitir|adelante|sigue|continúa|continuar|da igual|me da igual|lo que quieras|como quieras|tú decides|decide tú|sin preferencia|no preguntes|hazlo|vamos|inicia|iniciar|inicia la investigación`,
  fillers: 'simplemente solo ya ahora la el directamente por favor sí ok pues investigación y entonces',
  yes: 'sí si correcto exacto vale',
  texts: {
    reference: '¿A qué se refiere «{phrase}»? Por favor, indíquelo por su nombre.',
    scope: '«{subject}» es un campo muy amplio. ¿Qué parte debe investigarse?',
    goal: '¿Qué debe averiguar la investigación sobre «{subject}»?',
    term: 'Ninguna de las fuentes consultadas conoce «{term}». ¿Qué significa?',
    confirm: 'Se investigará: {subject}. ¿Es correcto?',
    readings: [
      '{subject}: una visión general',
      '{subject}: los últimos avances',
      '{subject}: problemas abiertos y debates',
    ],
    asWritten: 'Buscar «{term}» tal como está escrito',
    correct: 'Sí, empezar',
    why: {
      topic: 'Ninguna palabra de la pregunta nombra un tema.',
      reference: 'Ni la pregunta ni la carpeta abierta dicen a qué se refiere.',
      scope: 'Un campo entero no cabe en un informe.',
      goal: 'La respuesta depende de para qué sea.',
      term: 'Se buscó y no se encontró: puede estar mal escrito o ser muy nuevo.',
      confirm: 'Ha pedido confirmar cada pregunta antes de investigarla.',
    },
    cannot: {
      task: 'Es una tarea y no una pregunta que las fuentes puedan responder.',
      harm: 'Pide instrucciones que podrían causar un daño grave, así que no se investiga.',
      smallTalk: 'Aquí todavía no hay nada que investigar.',
    },
    instead:
      'Pregunte por un tema que traten artículos, código, debates o sus archivos, por ejemplo «¿Cómo se recupera HTTP/3 de la pérdida de paquetes?».',
  },
};
