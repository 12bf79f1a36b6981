import type { Namespace } from '../../declare/operation.ts';
import { ErrorSchema, RetryErrorDataSchema } from '../../declare/schemas.ts';
import type { Site } from '../../declare/site.ts';
import { infoOf, SECURITY_SCHEMES, serversOf, tagsOf } from './info.ts';
import { describeOperation } from './operation.ts';
import { SHARED_HEADERS, type Components } from './responses.ts';
import { hoist, type Json } from './schemas.ts';
import { feedSchemas, webhooksOf } from './webhooks.ts';

/** The OpenAPI document of a namespace: the routes that are active, amended by the site's extensions. */
export function openApiDocument(site: Site, namespace: Namespace): Json {
  const document = generate(site, namespace);
  const amend = site.extensions.amendOpenApi;
  // Extensions get plain JSON: schemas carry properties that only their library reads.
  return amend ? amend(JSON.parse(JSON.stringify(document)) as Json) : document;
}

/** Takes milliseconds. The routes that serve it cache it by the revision of the registry. */
export function openApiText(site: Site, namespace: Namespace): string {
  return JSON.stringify(openApiDocument(site, namespace));
}

function generate(site: Site, namespace: Namespace): Json {
  const { registry } = site;
  const operations = registry.activeOperations(namespace);
  const components: Components = { schemas: {}, responses: {} };
  const { schemas, responses } = components;
  hoist(ErrorSchema, schemas);
  hoist(RetryErrorDataSchema, schemas);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describeOperation(operation, site, components);
  }
  if ('FeedEvent' in schemas) Object.assign(schemas, feedSchemas(registry));
  const webhooks = namespace === 'v2' ? webhooksOf(registry, schemas) : {};
  const modules = registry
    .activeModules()
    .filter((module) => module.operations?.some((operation) => operations.includes(operation)));
  return {
    openapi: '3.1.0',
    info: infoOf(namespace),
    servers: serversOf(site, namespace),
    tags: tagsOf(modules),
    paths,
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: { schemas, responses, headers: SHARED_HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}
