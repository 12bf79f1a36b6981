import { readFileSync } from 'node:fs';
import {
  buildSchema,
  executeSync,
  GraphQLError,
  Kind,
  parse,
  validate,
  type OperationDefinitionNode,
} from 'graphql';
import { actualCost, requestedCost } from './graphql-cost.ts';

const VERSION = '2026-07';
export const GRAPHQL_PATH = `/admin/api/${VERSION}/graphql.json`;

const schema = buildSchema(
  readFileSync(new URL(`admin-${VERSION}.graphql`, import.meta.url), 'utf8'),
);
const COST_MAX = 1_000;

export interface Operation {
  readonly name: string;
  readonly cost: number;
  readonly isThrottled: boolean;
}

/** Answers GraphQL as Shopify does: only what the schema has, at a cost, as long as there is room in the bucket. */
export class FakeGraphql {
  readonly #root: object;
  maximum = 2_000;
  /** A real shop restores 50 to 1,000 points a second. Tests do not wait for it. */
  restoreRate = 50_000;
  /** Shopify may take less for a query than it documents: the part of it. */
  discount = 1;
  /** Others take all that is restored. */
  isBusy = false;
  readonly operations: Operation[] = [];
  #isEmptied = false;
  #available = 2_000;
  #atMs = performance.now();

  constructor(root: object) {
    this.#root = root;
  }

  /** The bucket of another plan, full. */
  limit(maximum: number, restoreRate: number): void {
    Object.assign(this, { maximum, restoreRate });
    this.#available = maximum;
    this.#atMs = performance.now();
  }

  /** As if another process took all that there is, until a query is throttled for it. */
  empty(): void {
    this.#isEmptied = true;
  }

  answer(body: string): object {
    const { query, variables } = JSON.parse(body);
    const document = parse(query);
    const [operation] = document.definitions as OperationDefinitionNode[];
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors: errors.map((error) => error.toJSON()) };
    const cost = Math.ceil(requestedCost(schema, operation, variables ?? {}) / this.discount);
    if (cost > COST_MAX) {
      return { errors: [errorJson('MAX_COST_EXCEEDED', { cost, maxCost: COST_MAX })] };
    }
    this.#restore();
    if (this.isBusy || this.#isEmptied) this.#available = 0;
    this.#isEmptied = false;
    const isThrottled = cost > this.#available;
    const name = operation.name?.value ?? '';
    this.operations.push({ name, cost, isThrottled });
    if (isThrottled) {
      return { errors: [errorJson('THROTTLED')], extensions: { cost: this.#figures(cost, null) } };
    }
    const result = executeSync({
      schema,
      document,
      rootValue: this.#root,
      variableValues: variables,
    });
    const actual = Math.min(cost, actualCost(result.data));
    this.#available -= actual;
    return {
      ...(JSON.parse(JSON.stringify(result)) as object),
      extensions: { cost: this.#figures(cost, actual) },
    };
  }

  #restore(): void {
    const nowMs = performance.now();
    const restored = ((nowMs - this.#atMs) / 1_000) * this.restoreRate;
    this.#available = Math.min(this.maximum, this.#available + restored);
    this.#atMs = nowMs;
  }

  #figures(requestedQueryCost: number, actualQueryCost: number | null): object {
    return {
      requestedQueryCost,
      actualQueryCost,
      throttleStatus: {
        maximumAvailable: this.maximum,
        currentlyAvailable: Math.floor(this.#available),
        restoreRate: this.restoreRate,
      },
    };
  }
}

function errorJson(code: string, more: object = {}): object {
  const message = code === 'THROTTLED' ? 'Throttled' : 'Query cost is too high';
  return { message, extensions: { code, ...more } };
}

/** What Shopify answers to an app that lacks a scope. */
export function lacksScope(scope: string, field: string): GraphQLError {
  const requiredAccess = `\`${scope}\` access scope.`;
  return new GraphQLError(`Access denied for ${field} field. Required access: ${requiredAccess}`, {
    extensions: { code: 'ACCESS_DENIED', requiredAccess },
  });
}

/** What it answers where the plan of the shop shows such an app no personal data. */
export function withholds(field: string): GraphQLError {
  // With or without this property, which says nothing about a scope here.
  const requiredAccess = field === 'email' ? 'another plan' : undefined;
  return new GraphQLError(`This app is not approved to use the ${field} field.`, {
    extensions: { code: 'ACCESS_DENIED', requiredAccess },
  });
}
