/**
 * A place where a module lets others join in without knowing them: the module asks everyone who
 * contributes, an add-on contributes while it is active. So core code never mentions an add-on.
 */
export class Point<T> {
  readonly name: string;
  declare readonly contributed: T;

  constructor(name: string) {
    this.name = name;
  }
}

export interface Contribution<T = unknown> {
  readonly point: Point<T>;
  readonly value: T;
}

export function contribute<T>(point: Point<T>, value: T): Contribution<T> {
  return { point, value };
}
