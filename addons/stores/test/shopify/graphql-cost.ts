import {
  getNamedType,
  isCompositeType,
  isObjectType,
  isInterfaceType,
  Kind,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

const MUTATION = 10;
const CONNECTION = 2;

/**
 * What a query costs by the rules that Shopify documents: an object 1, a scalar 0, a connection 2 and what the requested
 * entries cost, a mutation 10. Shopify itself may take less for connections.
 */
export function requestedCost(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const isMutation = operation.operation === 'mutation';
  const root = isMutation ? schema.getMutationType()! : schema.getQueryType()!;
  const argumentOf = (field: FieldNode, name: string): unknown => {
    const value = field.arguments?.find((each) => each.name.value === name)?.value;
    if (value?.kind === Kind.VARIABLE) return variables[value.name.value];
    return value?.kind === Kind.INT ? Number(value.value) : undefined;
  };
  const costOf = (type: GraphQLCompositeType, selections: SelectionSetNode | undefined): number =>
    (selections?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + fieldCost(type, selection);
      if (selection.kind !== Kind.INLINE_FRAGMENT) throw new Error('no fragments by name');
      const condition = schema.getType(selection.typeCondition!.name.value);
      return sum + costOf(condition as GraphQLCompositeType, selection.selectionSet);
    }, 0);
  const fieldCost = (parent: GraphQLCompositeType, field: FieldNode): number => {
    if (!isObjectType(parent) && !isInterfaceType(parent)) return 0;
    const type = getNamedType(parent.getFields()[field.name.value]?.type);
    if (!type || !isCompositeType(type) || type.name === 'PageInfo') return 0;
    const inner = costOf(type, field.selectionSet);
    if (type.name.endsWith('Connection')) {
      return CONNECTION + Number(argumentOf(field, 'first') ?? 0) * inner;
    }
    // The object is its node.
    if (type.name.endsWith('Edge')) return inner;
    const ids = argumentOf(field, 'ids');
    return (Array.isArray(ids) ? ids.length : 1) * (1 + inner);
  };
  return (isMutation ? MUTATION : 0) + costOf(root, operation.selectionSet);
}

/** What an answer has cost: as many points as it has objects. */
export function actualCost(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + actualCost(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + actualCost(each), 1);
}
