//! The constraint graph: which cell is in which house. The only file that knows petgraph.

use std::fmt::Write;

use petgraph::Undirected;
use petgraph::graph::{Graph, NodeIndex};

use super::layout::{HouseKind, Layout};
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

    /// The graph in Graphviz's language, cells and houses by name, where they stand on the grid:
    /// rows at the left, columns above, boxes among their cells, other houses at the right.
    pub fn to_dot(&self, layout: &Layout) -> String {
        let mut dot = String::from(HEAD);
        for node in self.graph.node_weights() {
            let _ = match *node {
                Node::Cell(cell) => {
                    let (x, y) = place(layout, cell);
                    writeln!(dot, "  {} [pos=\"{x},{y}!\"];", layout.cell_name(cell))
                }
                Node::House(house) => {
                    let ((x, y), name) = (house_place(layout, house), dot_name(layout, house));
                    let colour = colour(layout.kind(house));
                    writeln!(
                        dot,
                        "  {name} [pos=\"{x},{y}!\", shape=box, width=0.9, height=0.3, color=\"{colour}\"];"
                    )
                }
            };
        }
        for edge in self.graph.edge_indices() {
            let ends = self.graph.edge_endpoints(edge).map(|(a, b)| (self.graph[a], self.graph[b]));
            if let Some((Node::Cell(cell), Node::House(house))) = ends {
                let (cell, name) = (layout.cell_name(cell), dot_name(layout, house));
                let colour = colour(layout.kind(house));
                let _ = writeln!(dot, "  {cell} -- {name} [color=\"{colour}\"];");
            }
        }
        dot.push_str("}\n");
        dot
    }
}

/// Nodes stay where they are put, edges are drawn behind them.
const HEAD: &str = "\
graph constraints {
  layout=neato; outputorder=edgesfirst;
  node [shape=ellipse, fixedsize=true, width=0.7, height=0.4, fontsize=11, style=filled,
    fillcolor=white];
";

/// Where a cell is drawn, in inches.
fn place(layout: &Layout, cell: Cell) -> (f64, f64) {
    (layout.column_index(cell) as f64, -(layout.row_index(cell) as f64))
}

/// Where a house is drawn.
fn house_place(layout: &Layout, house: House) -> (f64, f64) {
    let cells = layout.cells_in_order(house);
    let (first, size) = (place(layout, cells[0]), layout.size() as f64);
    match layout.kind(house) {
        HouseKind::Row => (-1.5, first.1),
        HouseKind::Column => (first.0, 1.5),
        // Between four cells near the middle.
        HouseKind::Box => {
            let middle = |from: f64, many: usize| from + ((many - 1) / 2) as f64 + 0.5;
            let (height, width) = (layout.box_height(), layout.box_width());
            (middle(first.0, width), -middle(-first.1, height))
        }
        HouseKind::Extra => (size + 0.5, 1.0 - layout.number(house) as f64),
    }
}

fn colour(kind: HouseKind) -> &'static str {
    match kind {
        HouseKind::Row => "#2060c0",
        HouseKind::Column => "#208040",
        HouseKind::Box => "#c06020",
        HouseKind::Extra => "#902090",
    }
}

fn dot_name(layout: &Layout, house: House) -> String {
    format!("\"{}\"", layout.house_name(house))
}
