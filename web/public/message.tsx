import { LinkButton } from '../ui/button.tsx';
import type { PageProps } from '../../src/web-contract/page-props.ts';

export function MessagePage({ title, text, action }: PageProps['message']) {
  return (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
      {action && (
        <p>
          <LinkButton href={action.href}>{action.label}</LinkButton>
        </p>
      )}
    </>
  );
}
