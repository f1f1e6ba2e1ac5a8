import type { Language } from './language.ts';

export const vi: Language = {
  tag: 'vi',
  stopWords: `bị bởi các cái cho có của cũng đã đang để được gì hay không khi là làm lại mà một này nào như nhưng những ở ra
    rằng rất sao sẽ tại thế thì trong trên từ và vào về với`,
  askingWords: `gì ai khi nào tại sao đâu thế bao nhiêu mấy so sánh khác`,
  letters: /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/gu,
};
