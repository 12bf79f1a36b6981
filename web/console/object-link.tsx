import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { hrefOfObject } from './object-links.ts';

interface ObjectLinkProps {
  /** The type of the object, as events name it. */
  type: string;
  id: number;
  /** Finds the object in its list, where it has no page of its own. */
  search?: string;
  children: ComponentChildren;
}

/** Leads to an object; plain text while no screen shows it. */
export function ObjectLink({ type, id, search, children }: ObjectLinkProps) {
  const href = hrefOfObject(type, id);
  if (href === undefined) return <>{children}</>;
  const isList = !href.includes('?') && !href.endsWith(`/${id}`);
  const query = isList && search !== undefined ? `?q=${encodeURIComponent(search)}` : '';
  return <Link href={href + query}>{children}</Link>;
}
