import { graphql } from 'react-relay/hooks'
import type { endpointGroupQuery } from '../../../generated/console/endpointGroupQuery.graphql.ts'
import { useQuery } from '../../relay/use-query.ts'

/** The name of the group that an endpoint is limited to, or its ID if the person cannot see the group. */
export function EndpointGroup({ groupID }: { groupID: string }) {
  const { group } = useQuery<endpointGroupQuery>(
    graphql`query endpointGroupQuery($groupID: ID!) { group(id: $groupID) { name } }`,
    { groupID },
  )
  return group?.name ?? groupID
}
