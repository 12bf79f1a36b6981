/**
 * An extension point between modules. A module declares the point and reads the contributions of the
 * active modules from the registry, so core code never refers to an add-on.
 */
export class Point<T> {
  readonly name: string;
  /** Never set. It ties the type of the contributions to the point. */
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
