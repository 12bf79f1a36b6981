import Type from 'typebox';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { guideReaders, type GuideReader } from '../../web-contract/guides.ts';
import { openApiPublic, showReference } from '../reference/index.ts';
import { siteName } from '../store-profile/index.ts';
import { guidePages } from './guide-pages.ts';

const HEADINGS: Record<GuideReader, string> = {
  owner: 'For owners of the program',
  affiliate: 'For affiliates',
  integrator: 'For integrators',
};

export const getLlms = operation({
  method: 'GET',
  namespace: 'site',
  path: '/llms.txt',
  summary: 'List what programs that read text can read here',
  description:
    'The guides as Markdown and the documents of the API, as https://llmstxt.org describes.',
  access: 'public',
  scope: null,
  response: Type.String(),
  contentType: 'text/plain',
  handle: ({ site }) => rendered(site, 'llms.txt', () => llms(site)),
});

function llms(site: Site): HttpResponse<string> {
  const { settings, registry, publicUrl } = site;
  const link = (title: string, path: string, about: string) =>
    `- [${title}](${publicUrl}${path}): ${about}`;
  const guides = [...guidePages().values()];
  const lines = [
    `# The affiliate program of ${settings.get(siteName)}`,
    '',
    '> It runs on Tributary, a self-hosted affiliate program for online stores: affiliates share links and coupon codes, ' +
      'earn a commission on the orders they bring, and are paid.',
    ...guideReaders.flatMap((reader) => [
      '',
      `## ${HEADINGS[reader]}`,
      '',
      ...guides
        .filter((guide) => guide.reader === reader)
        .map(({ name, title, about }) => link(title, `/help/${name}.md`, about)),
    ]),
  ];
  if (settings.get(openApiPublic) && registry.isActive(showReference)) {
    lines.push(
      '',
      '## API',
      '',
      link(
        'API v2',
        '/svc/v2/openapi',
        'The OpenAPI document for programs of affiliates and partners.',
      ),
      link(
        'Store API',
        '/svc/store/v1/openapi',
        'The OpenAPI document for your store and everything that the console does.',
      ),
      link('API reference', '/docs', 'Both as pages, with examples to paste.'),
    );
  }
  return new HttpResponse(`${lines.join('\n')}\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}
