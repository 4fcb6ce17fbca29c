//! How outside engines are written: `uci:PATH,movetime=300`, `dctp:PATH,time=900000`.

use std::path::PathBuf;
use std::time::Duration;

use crate::agent::AgentError;

/// A protocol that engines speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Protocol {
    /// The subset of UCI that Misty speaks: the whole position each time
    Uci,
    /// The numbered commands of the computer tournaments (DCTP, MGTP): the engine keeps the game
    Dctp,
}

impl Protocol {
    /// Its name in agents.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Dctp => "dctp",
        }
    }

    /// The options an engine of this protocol has.
    fn known(self) -> &'static str {
        match self {
            Protocol::Uci => "movetime=MS, nodes=N, timeout=MS, args=.. (last)",
            Protocol::Dctp => "time=MS, timeout=MS, args=.. (last)",
        }
    }
}

/// An outside engine and how it is to be used.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// What it speaks.
    pub protocol: Protocol,
    /// The program: a path, or a name that is looked for where programs are.
    pub path: PathBuf,
    /// UCI: milliseconds a move.
    pub movetime: Option<u64>,
    /// UCI: nodes a move.
    pub nodes: Option<u64>,
    /// DCTP: milliseconds a game, the engine's own clock.
    pub time: Option<u64>,
    /// Milliseconds after which a move is late whatever the clock says.
    pub timeout: Option<u64>,
    /// What the program is started with, separated by spaces.
    pub args: String,
}

/// A move's time where none is given.
const MOVETIME: u64 = 300;
/// The clock of the tournaments: 15 minutes a side and game.
const TIME: u64 = 900_000;
/// What a move may take beyond its time, for starting up and for busy machines.
const GRACE: u64 = 2_000;
/// What a move may take where only a number of nodes, or a clock for the whole game, limits it.
const TIMEOUT: u64 = 60_000;
/// The most of any option, ten days.
const MOST: u64 = 864_000_000;

impl EngineSpec {
    /// Reads an engine's name; `None` where it is an agent of another kind.
    ///
    /// # Errors
    /// An unknown option (the known ones are listed) or an unusable value.
    pub fn parse(text: &str) -> Option<Result<EngineSpec, AgentError>> {
        let (kind, rest) = text.split_once(':')?;
        let protocol = [Protocol::Uci, Protocol::Dctp].into_iter().find(|known| known.name() == kind.trim())?;
        let read = Self::parse_rest(protocol, rest);
        Some(read.map_err(|message| AgentError::Option { agent: text.into(), message }))
    }

    fn parse_rest(protocol: Protocol, rest: &str) -> Result<EngineSpec, String> {
        let (rest, args) = rest.split_once(",args=").unwrap_or((rest, ""));
        let mut parts = rest.split(',');
        let path = parts.next().unwrap_or_default().trim();
        if path.is_empty() {
            return Err(format!("a program must follow, such as {}:./engine", protocol.name()));
        }
        let mut spec = EngineSpec {
            protocol,
            path: path.into(),
            movetime: None,
            nodes: None,
            time: None,
            timeout: None,
            args: args.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let slot = match (protocol, name.trim()) {
                (Protocol::Uci, "movetime") => &mut spec.movetime,
                (Protocol::Uci, "nodes") => &mut spec.nodes,
                (Protocol::Dctp, "time") => &mut spec.time,
                (_, "timeout") => &mut spec.timeout,
                _ => return Err(format!("unknown option '{part}': known are {}", protocol.known())),
            };
            let most = if name.trim() == "nodes" { u64::MAX } else { MOST };
            let number = value.trim().parse().ok().filter(|number| (1..=most).contains(number));
            *slot = Some(number.ok_or_else(|| format!("{} must be a whole number from 1 to {most}", name.trim()))?);
        }
        Ok(spec)
    }

    /// What the program is started with.
    pub(super) fn arguments(&self) -> Vec<String> {
        self.args.split_whitespace().map(String::from).collect()
    }

    /// What a UCI engine is told to do: think so long, or so much.
    pub(super) fn go(&self) -> String {
        let mut go = "go".to_string();
        if let Some(time) = self.movetime.or(if self.nodes.is_none() { Some(MOVETIME) } else { None }) {
            go += &format!(" movetime {time}");
        }
        if let Some(nodes) = self.nodes {
            go += &format!(" nodes {nodes}");
        }
        go
    }

    /// The clock of a DCTP engine for one game.
    pub(super) fn clock(&self) -> Duration {
        Duration::from_millis(self.time.unwrap_or(TIME))
    }

    /// When a move is late.
    pub(super) fn patience(&self) -> Duration {
        let usual = match (self.protocol, self.movetime, self.nodes) {
            (Protocol::Uci, Some(time), _) => time + GRACE,
            (Protocol::Uci, None, None) => MOVETIME + GRACE,
            _ => TIMEOUT,
        };
        Duration::from_millis(self.timeout.unwrap_or(usual))
    }
}

impl std::fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.protocol.name(), self.path.display())?;
        for (name, value) in
            [("movetime", self.movetime), ("nodes", self.nodes), ("time", self.time), ("timeout", self.timeout)]
        {
            if let Some(value) = value {
                write!(f, ",{name}={value}")?;
            }
        }
        if !self.args.is_empty() {
            write!(f, ",args={}", self.args)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> EngineSpec {
        EngineSpec::parse(text).unwrap().unwrap()
    }

    #[test]
    fn names_round_trip() {
        for text in [
            "uci:./misty",
            "uci:misty,movetime=300",
            "uci:/a b/misty,movetime=100,nodes=5000,timeout=900",
            "dctp:./ai,time=60000",
            "uci:anqi,args=engine --protocol uci net:a,temperature=1",
        ] {
            assert_eq!(spec(text).to_string(), text);
        }
        assert_eq!(EngineSpec::parse("greedy").map(drop_fault), None);
        assert_eq!(EngineSpec::parse("net:uci").map(drop_fault), None);
    }

    fn drop_fault(read: Result<EngineSpec, AgentError>) -> EngineSpec {
        read.unwrap()
    }

    #[test]
    fn limits() {
        let told = |text| (spec(text).go(), spec(text).patience().as_millis());
        assert_eq!(told("uci:a"), ("go movetime 300".into(), 2_300));
        assert_eq!(told("uci:a,movetime=1000"), ("go movetime 1000".into(), 3_000));
        assert_eq!(told("uci:a,nodes=9"), ("go nodes 9".into(), 60_000));
        assert_eq!(told("uci:a,nodes=9,movetime=5,timeout=7"), ("go movetime 5 nodes 9".into(), 7));
        assert_eq!(spec("uci:a,args= x  y,z ").arguments(), ["x", "y,z"]);
        assert_eq!(spec("dctp:a").clock().as_secs(), 900);
    }

    #[test]
    fn faults_list_what_is_known() {
        let fault = |text| EngineSpec::parse(text).unwrap().unwrap_err().to_string();
        for (text, told) in [
            ("uci:", "a program must follow, such as uci:./engine"),
            ("dctp:,time=3", "a program must follow, such as dctp:./engine"),
            ("uci:a,time=3", "unknown option 'time=3': known are movetime=MS, nodes=N, timeout=MS, args=.. (last)"),
            ("dctp:a,movetime=3", "unknown option 'movetime=3': known are time=MS, timeout=MS, args=.. (last)"),
            ("uci:a,movetime=0", "movetime must be a whole number from 1 to 864000000"),
            ("uci:a,nodes=many", "nodes must be a whole number from 1 to"),
        ] {
            assert!(fault(text).contains(told), "{}", fault(text));
        }
    }
}
