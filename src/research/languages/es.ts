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
  letters: /[ñ¿¡]/gu,
  referenceHeadings: 'referencias|bibliografía|fuentes',
  conclusionHeadings: 'conclusión.*',
  backReferences: [
    'est[aeo]s?|es[aeo]s?|ell[ao]s?|él|su|sus|amb[ao]s|dich[ao]s?|tal(?:es)?|así|sin embargo|además',
    'por (?:eso|ello|ejemplo|tanto)|(?:en|con|de|para|bajo) (?:est|es|dich)[aeo]s?',
  ].join('|'),
  pointing: 'este esta esto estos estas ese esa eso esos esas aquel aquella aquello él ella ellos ellas lo',
  interrogatives: 'qué quién quiénes cómo cuándo dónde cuál cuáles cuánto por',
  requests:
    'ayuda ayúdame cuéntame ayudar investiga investigar busca buscar información tema pregunta informe cosa cosas háblame',
};
