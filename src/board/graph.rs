//! The constraint graph: which cell is in which house. The only file that knows petgraph.

use std::fmt::Write;

use petgraph::Undirected;
use petgraph::graph::{Graph, NodeIndex};

use super::layout::Layout;
use super::sets::{Cell, Cells, House, Houses};

/// A bipartite graph: a node a cell, a node a house, an edge where the cell is in the house.
///
/// Two cells see each other when a path of two edges joins them; all tables of a
/// [`Layout`] are read off this graph.
pub struct ConstraintGraph {
    graph: Graph<Node, (), Undirected>,
    cells: Vec<NodeIndex>,
}

#[derive(Clone, Copy)]
enum Node {
    Cell(Cell),
    House(House),
}

impl ConstraintGraph {
    /// The graph of `cells` cells and these houses.
    pub fn new<'a>(cells: usize, houses: impl Iterator<Item = &'a [Cell]>) -> ConstraintGraph {
        let mut graph = Graph::default();
        let cells: Vec<NodeIndex> =
            (0..cells).map(|c| graph.add_node(Node::Cell(Cell::at(c)))).collect();
        for (h, members) in houses.enumerate() {
            let house = graph.add_node(Node::House(House::at(h)));
            for cell in members {
                graph.add_edge(cells[cell.index()], house, ());
            }
        }
        ConstraintGraph { graph, cells }
    }

    /// The graph of a layout.
    pub fn of(layout: &Layout) -> ConstraintGraph {
        let houses = layout.all_houses().into_iter().map(|h| layout.cells_in_order(h));
        ConstraintGraph::new(layout.cell_count(), houses)
    }

    /// The houses of a cell.
    pub fn houses_of(&self, cell: Cell) -> Houses {
        self.graph.neighbors(self.cells[cell.index()]).filter_map(|n| self.house(n)).collect()
    }

    /// The cells that share a house with a cell.
    pub fn peers_of(&self, cell: Cell) -> Cells {
        let houses = self.graph.neighbors(self.cells[cell.index()]);
        let mut peers: Cells = houses
            .flat_map(|house| self.graph.neighbors(house))
            .filter_map(|node| match self.graph[node] {
                Node::Cell(peer) => Some(peer),
                Node::House(_) => None,
            })
            .collect();
        peers.remove(cell);
        peers
    }

    fn house(&self, node: NodeIndex) -> Option<House> {
        match self.graph[node] {
            Node::House(house) => Some(house),
            Node::Cell(_) => None,
        }
    }

    /// The graph in Graphviz's language, cells and houses by name.
    pub fn to_dot(&self, layout: &Layout) -> String {
        let mut dot = String::from("graph constraints {\n");
        for node in self.graph.node_weights() {
            let _ = match *node {
                Node::Cell(cell) => writeln!(dot, "  {};", layout.cell_name(cell)),
                Node::House(house) => writeln!(dot, "  {} [shape=box];", dot_name(layout, house)),
            };
        }
        for edge in self.graph.edge_indices() {
            let ends = self.graph.edge_endpoints(edge).map(|(a, b)| (self.graph[a], self.graph[b]));
            if let Some((Node::Cell(cell), Node::House(house))) = ends {
                let _ =
                    writeln!(dot, "  {} -- {};", layout.cell_name(cell), dot_name(layout, house));
            }
        }
        dot.push_str("}\n");
        dot
    }
}

fn dot_name(layout: &Layout, house: House) -> String {
    format!("\"{}\"", layout.house_name(house))
}
