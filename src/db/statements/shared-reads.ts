import type { Reader } from '../database.ts';
import type { RowOfKey } from './keyed-query.ts';

/** No statement asks for more: a list that is too long keeps the others of its connection waiting. */
const KEYS_MAX = 100;

type AnyQuery = RowOfKey<never, never>;
type Asked = Map<unknown, PromiseWithResolvers<never[]>>;

/**
 * One statement for all that ask for the same in one turn of the event loop, each with its own key:
 * a trip to the server costs more than the row it fetches.
 */
export class SharedReads {
  readonly #reader: Pick<Reader, 'allByKeys'>;
  readonly #asked = new Map<AnyQuery, Asked>();

  constructor(reader: Pick<Reader, 'allByKeys'>) {
    this.#reader = reader;
  }

  /** Who asks for the same key gets the same rows: nobody may change them. */
  all<K extends string | number, R>(query: RowOfKey<K, R>, key: K): Promise<R[]> {
    const asked = this.#askedOf(query);
    let answer = asked.get(key);
    if (!answer) asked.set(key, (answer = Promise.withResolvers()));
    return answer.promise;
  }

  #askedOf(query: AnyQuery): Asked {
    let asked = this.#asked.get(query);
    if (asked && asked.size < KEYS_MAX) return asked;
    this.#asked.set(query, (asked = new Map()));
    const these = asked;
    setImmediate(() => {
      if (this.#asked.get(query) === these) this.#asked.delete(query);
      void this.#answer(query, these);
    });
    return asked;
  }

  async #answer(query: AnyQuery, asked: Asked): Promise<void> {
    try {
      const rows = await this.#reader.allByKeys(query, [...asked.keys()] as never[]);
      const ofKey = Map.groupBy(rows, (row) => row[query.key] as unknown);
      for (const [key, answer] of asked) answer.resolve(ofKey.get(key) ?? []);
    } catch (error) {
      for (const answer of asked.values()) answer.reject(error);
    }
  }
}
