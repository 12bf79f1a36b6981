import Type from 'typebox';
import { rendered } from '../../kernel/cache/rendered-page.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { guideNamed } from './guide-pages.ts';

export const getGuideMarkdown = operation({
  method: 'GET',
  namespace: 'site',
  path: '/help/{guide}.md',
  summary: 'Get a guide as Markdown',
  access: 'public',
  scope: null,
  params: Type.Object({ guide: Type.String() }),
  response: Type.String(),
  contentType: 'text/markdown',
  handle({ site }, { guide: name }) {
    const guide = guideNamed(name);
    const headers = { 'Content-Type': 'text/markdown; charset=utf-8' };
    const markdown = () => new HttpResponse(guide.markdown, { headers });
    return rendered(site, `markdown ${guide.name}`, markdown);
  },
});
