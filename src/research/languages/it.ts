import type { Language } from './language.ts';

export const it: Language = {
  tag: 'it',
  stopWords: `a ad agli al alla alle allo anche c che chi ci come con contro cosa cui da dal dalla dalle dei del dell
    della delle dello di dove e è ed era fra gli ha hanno i il in io la le lei li lo loro ma mi mio ne nei nel
    nella nelle no noi non nostro o per perché più può quale quali quando quanto quella quello questa queste
    questi questo se sei si sia sono su sua sue sui sul sulla suo tra tu tutti tutto un una uno`,
  askingWords: `dimmi mostra spiega che chi quando perché dove come quanto quanta quanti quante quale quali significa
    c'è differenza confronta tra`,
  backReferences: [
    'ess[oaie]|quest[oaie]|quell[oaie]|ciò|tal[ei]|suo|sua|loro|entramb[ie]|così|quindi|pertanto|tuttavia',
    'inoltre|(?:in|con|di|per|su) (?:quest[oaie]|tal[ei])|per esempio',
  ].join('|'),
};
