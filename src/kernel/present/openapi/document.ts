import { infoOf, SECURITY_SCHEMES, serversOf, tagsOf } from './info.ts';
import { describeOperation } from './operation.ts';
import { SHARED_HEADERS } from './responses.ts';
import { hoist, written, type Json, type NamedSchemas, type Written } from './schemas.ts';
import { feedSchemas, webhooksOf } from './webhooks.ts';
import type { Namespace, Operation } from '../../declare/operation.ts';
import type { Registry } from '../../declare/registry.ts';
import { ErrorSchema, RetryErrorDataSchema } from '../../declare/schemas.ts';
import type { Site } from '../../declare/site.ts';

/** One operation's part of the document and the components it refers to, written out. */
interface Fragment {
  readonly revision: number | undefined;
  readonly operation: string;
  readonly schemas: Written;
  readonly responses: Written;
}

/**
 * The OpenAPI document of a namespace, put together for this request from the routes that are
 * active now. An operation's part never changes while its contract does not, so it is written out
 * once and joined with the others each time.
 */
export function openApiText(site: Site, namespace: Namespace): string {
  const { registry } = site;
  const operations = registry.activeOperations(namespace);
  const paths: Record<string, string[]> = {};
  const schemas: Written = { ...ERROR_SCHEMAS };
  const responses: Written = {};
  for (const operation of operations) {
    const fragment = fragmentOf(operation, site);
    (paths[operation.path] ??= []).push(
      `"${operation.method.toLowerCase()}":${fragment.operation}`,
    );
    Object.assign(schemas, fragment.schemas);
    Object.assign(responses, fragment.responses);
  }
  if ('FeedEvent' in schemas) Object.assign(schemas, feedSchemas(registry));
  const webhooks = namespace === 'v2' ? webhooksOf(registry, schemas) : {};
  const modules = registry
    .activeModules()
    .filter((module) => module.operations?.some((operation) => operations.includes(operation)));
  const text = join({
    openapi: '"3.1.0"',
    info: JSON.stringify(infoOf(namespace)),
    servers: JSON.stringify(serversOf(site, namespace)),
    tags: JSON.stringify(tagsOf(modules)),
    paths: join(
      Object.fromEntries(Object.entries(paths).map(([path, parts]) => [path, `{${parts.join()}}`])),
    ),
    ...(Object.keys(webhooks).length > 0 && { webhooks: join(webhooks) }),
    components: join({
      schemas: join(schemas),
      responses: join(responses),
      headers: JSON.stringify(SHARED_HEADERS),
      securitySchemes: JSON.stringify(SECURITY_SCHEMES),
    }),
  });
  const amend = site.extensions.amendOpenApi;
  return amend ? JSON.stringify(amend(JSON.parse(text) as Json)) : text;
}

export function openApiDocument(site: Site, namespace: Namespace): Json {
  return JSON.parse(openApiText(site, namespace)) as Json;
}

const ERROR_SCHEMAS = errorSchemas();

function errorSchemas(): Written {
  const schemas: NamedSchemas = {};
  hoist(ErrorSchema, schemas);
  hoist(RetryErrorDataSchema, schemas);
  return written(schemas);
}

/** An object of parts that are written out already. */
function join(parts: Written): string {
  return `{${Object.entries(parts)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join()}}`;
}

const fragments = new WeakMap<Registry, Map<Operation, Fragment>>();

function fragmentOf(operation: Operation, site: Site): Fragment {
  const { registry } = site;
  let known = fragments.get(registry);
  if (!known) fragments.set(registry, (known = new Map<Operation, Fragment>()));
  const cached = known.get(operation);
  if (cached && (cached.revision === undefined || cached.revision === registry.revision)) {
    return cached;
  }
  const fragment = describe(operation, site);
  known.set(operation, fragment);
  return fragment;
}

function describe(operation: Operation, site: Site): Fragment {
  const components = { schemas: {}, responses: {} };
  const described = describeOperation(operation, site, components);
  const live =
    typeof operation.body === 'function' ||
    typeof operation.response === 'function' ||
    operation.publicUnless !== undefined;
  return {
    revision: live ? site.registry.revision : undefined,
    operation: JSON.stringify(described),
    schemas: written(components.schemas),
    responses: written(components.responses),
  };
}
