import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { hrefOfObject } from './object-href.ts';

interface ObjectLinkProps {
  /** The type of the object, as events name it. */
  type: string;
  id: number;
  children: ComponentChildren;
}

/** Leads to an object; plain text if no screen shows it. */
export function ObjectLink({ type, id, children }: ObjectLinkProps) {
  const href = hrefOfObject(type, id);
  return href === undefined ? <>{children}</> : <Link href={href}>{children}</Link>;
}
