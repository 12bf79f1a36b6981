import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { renderPageOnce } from '../web/index.ts';
import { guideNamed, type GuidePage } from './guide-pages.ts';

export const showGuide = operation({
  method: 'GET',
  namespace: 'site',
  path: '/help/{guide}',
  summary: 'Show a guide',
  access: 'public',
  scope: null,
  params: Type.Object({ guide: Type.String() }),
  response: Type.String(),
  handle({ site, request }, { guide: name }) {
    const guide = guideNamed(name);
    return renderPageOnce(site, request, 'guide', () => propsOf(guide), { variant: guide.name });
  },
});

function propsOf({ name, reader, title, about, html, sections }: GuidePage) {
  const contents = sections
    .filter(({ level }) => level === 2 || level === 3)
    .map(({ anchor, level, heading }) => ({ anchor, level, heading }));
  return { name, reader, title, about, html, contents };
}
