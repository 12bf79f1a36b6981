import { keptFormat } from '../src/shared/kept-format.ts';

/** By English sentence, with holes such as `{status}`. */
export type Sentences = Readonly<Record<string, string>>;

/** A sentence of the service in another language, with its values; one that the texts lack stays as it is. */
export function translated(sentence: string, texts: Sentences): string {
  for (const [english, own] of Object.entries(texts)) {
    const found = patternOf(english).exec(sentence);
    if (!found) continue;
    return own.replaceAll(/\{(\w+)\}/g, (hole, name: string) => found.groups?.[name] ?? hole);
  }
  return sentence;
}

const patternOf = (english: string): RegExp =>
  keptFormat(`said ${english}`, () => {
    const escaped = english.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
    return new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')}$`, 's');
  });
