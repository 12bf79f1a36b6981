import type { Dialect } from '../dialect.ts';
import { Query, query, type CompiledStatement } from './query.ts';

type Build<P, R> = Parameters<typeof query<P, R>>[0];

/** Makes something once for each set of columns: rows of one type nearly always have the same. */
export function onceForColumns<R extends object, T>(
  make: (names: readonly (keyof R & string)[]) => T,
): (row: R) => T {
  const made = new Map<string, T>();
  return (row) => {
    // The columns are the properties of the row.
    const names = Object.keys(row) as (keyof R & string)[];
    const columns = names.join();
    let known = made.get(columns);
    if (!known) {
      known = make(names);
      made.set(columns, known);
    }
    return known;
  };
}

class RowQuery<P extends object, R> extends Query<P, R> {
  readonly #statementFor: (row: P) => Query<P, R>;

  constructor(build: Build<P, R>) {
    super(build);
    this.#statementFor = onceForColumns((names) =>
      // These are all columns of the row.
      query((db, p, ...rest) => build(db, only(p, names) as typeof p, ...rest)),
    );
  }

  override compiledFor(dialect: Dialect, row: P): CompiledStatement {
    return this.#statementFor(row).compiledFor(dialect, row);
  }
}

/**
 * An insert with the columns that its row has: `.values(row)`. An update names the columns that it may change, with
 * `only`: its caller may hold more of the row than it changed.
 */
export function rowQuery<P extends object, R = never>(build: Build<P, R>): Query<P, R> {
  return new RowQuery(build);
}

/** Some of the parameters of a statement, for `.set` and `.values`. */
export function only<P extends object, K extends keyof P & string>(
  p: P,
  names: readonly K[],
): Pick<P, K> {
  // The entries are those of `names`.
  return Object.fromEntries(names.map((name) => [name, p[name]])) as Pick<P, K>;
}
