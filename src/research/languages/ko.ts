import type { Language } from './language.ts';

export const ko: Language = {
  tag: 'ko',
  stopWords:
    '은 는 이 가 을 를 의 에 와 과 도 로 으로 에서 에게 하는 하다 이다 입니 니다 있는 있다 무엇 엇인 인가 가요 어떤 어떻 떻게 그리 리고 또는',
  askingWords: `무엇 누가 누구 언제 어디 왜 어떻게 어떤 몇 얼마 입니까 인가요 하나요 있나요 알려 주세요 차이 비교`,
  referenceHeadings: '출처|참고\\s?문헌',
  conclusionHeadings: '결론.*',
  backReferences: '이는|이것|그것|이러한|그러한|이|그|해당|또한|그러나|따라서|하지만|예를 들어',
  pointing: '이 그 저 이것 그것 저것 이거 그거 저거 이것들 그것들 그들 여기 거기 이런 그런 저런',
  interrogatives: '무엇 뭐 뭐야 누가 누구 언제 어디 왜 어떻게 어떤 얼마',
  requests: '도와줘 도와주세요 도움 연구 연구를 조사 조사를 조사해줘 조사해 알려줘 찾아줘 정보 주제 질문 좀',
};
